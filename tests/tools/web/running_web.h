// A whole baton-web within the test's process.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "tests/fakes/no_metrics.h"
#include "tests/fakes/silent_log.h"
#include "tests/tools/http/raw_http.h"
#include "tools/web/web.h"

namespace baton {

class RunningWeb {
 public:
  // At a free port. Throws std::runtime_error where it does not start.
  explicit RunningWeb(web::WebOptions options, ClientCredentials credentials = nullptr);
  ~RunningWeb();

  int port() const { return port_; }
  // POST /api/baton.v2.METHOD, on a connection of its own.
  RawAnswer Call(const std::string& method, const std::string& body = "{}") const;
  RawAnswer Post(const std::string& path, const std::string& body = "{}") const;
  RawAnswer Get(const std::string& path) const;

 private:
  boost::asio::io_context loop_;
  SilentLog log_;
  NoMetrics metrics_;
  std::unique_ptr<web::Web> web_;
  int port_ = 0;
  std::thread thread_;
};

// A page's live stream: what was told of each event, newest last.
class LiveStream {
 public:
  explicit LiveStream(const RunningWeb& web);
  // POST /live/ID.
  int Look(const std::string& view);
  // Reads until such an event came whose data has `text` in it, and gives its data; empty: it did not come in ten
  // seconds.
  std::string Await(const std::string& event, const std::string& text = "");

 private:
  const RunningWeb& web_;
  RawHttp connection_;
  std::string id_;
  std::size_t read_ = 0;
};

}  // namespace baton
