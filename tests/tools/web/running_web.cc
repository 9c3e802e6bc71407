#include "tests/tools/web/running_web.h"

#include <future>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace baton {

RunningWeb::RunningWeb(web::WebOptions options, ClientCredentials credentials) {
  options.listen = "127.0.0.1:0";
  auto methods = web::Methods::Make();
  if (!methods) throw std::runtime_error(methods.error().message);
  web_ = std::make_unique<web::Web>(loop_, options, *std::move(methods), std::move(credentials), log_, metrics_);
  const Status started = web_->Start();
  if (!started) throw std::runtime_error(started.error().message);
  port_ = web_->port();
  thread_ = std::thread([this] {
    const auto work = boost::asio::make_work_guard(loop_);
    loop_.run();
  });
}

RunningWeb::~RunningWeb() {
  std::promise<void> stopped;
  boost::asio::post(loop_, [&] {
    web_->Stop();
    stopped.set_value();
  });
  stopped.get_future().wait();
  loop_.stop();
  thread_.join();
  web_.reset();
}

RawAnswer RunningWeb::Call(const std::string& method, const std::string& body) const {
  return Post("/api/baton.v2." + method, body);
}

RawAnswer RunningWeb::Post(const std::string& path, const std::string& body) const {
  RawHttp client(port_);
  client.Send(PostText(path, body));
  return client.Read();
}

RawAnswer RunningWeb::Get(const std::string& path) const {
  RawHttp client(port_);
  client.Send(GetText(path));
  return client.Read();
}

LiveStream::LiveStream(const RunningWeb& web) : web_(web), connection_(web.port()) {
  connection_.Send(GetText("/live"));
  const auto hello = nlohmann::json::parse(Await("hello"), nullptr, /*allow_exceptions=*/false);
  if (hello.is_object()) id_ = hello.value("stream", "");
}

int LiveStream::Look(const std::string& view) { return web_.Post("/live/" + id_, view).status; }

std::string LiveStream::Await(const std::string& event, const std::string& text) {
  const std::string begin = "event: " + event + "\ndata: ";
  do {
    const std::string& all = connection_.got();
    while (true) {
      const std::size_t at = all.find(begin, read_);
      const std::size_t end = at == std::string::npos ? at : all.find('\n', at + begin.size());
      if (end == std::string::npos) break;
      std::string data = all.substr(at + begin.size(), end - at - begin.size());
      read_ = end;
      if (data.find(text) != std::string::npos) return data;
    }
  } while (connection_.More());
  return {};
}

}  // namespace baton
