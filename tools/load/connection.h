// One connection of the load to its target. It connects with its first request and asks one thing at a time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tools/load/asio.h"
#include "tools/load/hello_answer.h"

namespace baton::load {

struct LoadTarget {
  tcp::endpoint endpoint;
  // The Host header.
  std::string host;
  std::chrono::milliseconds timeout;
};

// What became of a request.
struct LoadOutcome {
  // Empty: answered with 200 and a body as it should be.
  std::string failure;
  HelloAnswer answer;
  // The connection can be asked again.
  bool reusable = false;
};

class LoadConnection : public std::enable_shared_from_this<LoadConnection> {
 public:
  enum class After { kKeep, kClose };
  using Done = std::function<void(LoadOutcome)>;

  LoadConnection(asio::io_context& io, const LoadTarget& target);

  // Sends GET `path`, once: nothing is ever sent again. `done` is called once, at `due` + timeout at the latest.
  // With kClose the request says so and the connection is closed afterwards.
  void Ask(const std::string& path, std::chrono::steady_clock::time_point due, After after, Done done);

  // Between two requests: calls `gone` when the other side closes the connection, or sends unrequested data.
  void WatchIdle(std::function<void()> gone);
  // Ends the watching; true: the other side has closed it, though the watcher has not been called yet. Nothing of the
  // next request has been written at this time, so this is no failure.
  bool GoneWhileIdle();

  void Close();

 private:
  enum class Stage { kConnecting, kSending, kWaiting };

  void Connect();
  void Write();
  void Read();
  void Judge();
  void TimeOut();
  void Fail(std::string why, bool reusable = false);
  void Finish(LoadOutcome outcome);
  // Lets the other side close first, so that its port is not taken here for a minute (TIME_WAIT).
  void CloseAfterOther();

  const LoadTarget& target_;
  tcp::socket socket_;
  asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  http::request<http::empty_body> request_;
  std::optional<http::response_parser<http::string_body>> parser_;
  Done done_;
  Stage stage_ = Stage::kConnecting;
  After after_ = After::kKeep;
  bool connected_ = false;
  int requests_ = 0;
  // Tells what belongs to an earlier request, or to the time between two.
  std::uint64_t asked_ = 0;
};

}  // namespace baton::load
