#include "tests/load/scripted_server.h"

#include <algorithm>
#include <cctype>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "tools/load/asio.h"

namespace baton::load {

std::string HelloBody(int index) {
  return R"({"version":"v1","index":)" + std::to_string(index) + R"(,"instance":"scripted"})";
}

struct ScriptedServer::Impl {
  explicit Impl(Script with) : script(std::move(with)), acceptor(io, {asio::ip::make_address("127.0.0.1"), 0}) {}

  void Accept();
  ScriptedReply Next(ScriptedRequest request);
  void Done(bool kept);

  Script script;
  asio::io_context io{1};
  tcp::acceptor acceptor;
  std::thread thread;
  mutable std::mutex mutex;
  mutable std::condition_variable came;
  int requests = 0;
  int kept_busy = 0;
  int most_kept_busy = 0;
};

namespace {

using Then = ScriptedReply::Then;

class ScriptedConnection : public std::enable_shared_from_this<ScriptedConnection> {
 public:
  struct Server {
    std::function<ScriptedReply(ScriptedRequest)> next;
    std::function<void(bool kept)> done;
  };

  ScriptedConnection(tcp::socket socket, Server server)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), server_(std::move(server)) {}

  void Read() {
    request_ = {};
    http::async_read(socket_, buffer_, request_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return;
      const auto target = self->request_.target();
      std::map<std::string, std::string> headers;
      for (const auto& field : self->request_) {
        std::string name(field.name_string());
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        headers[name] = std::string(field.value());
      }
      self->reply_ = self->server_.next({.kept = self->request_.keep_alive(),
                                         .target = std::string(target),
                                         .body = self->request_.body(),
                                         .headers = std::move(headers)});
      self->timer_.expires_after(std::chrono::milliseconds(self->reply_.delay_ms));
      self->timer_.async_wait([self](error_code) { self->Reply(); });
    });
  }

 private:
  void Reply() {
    if (reply_.then == Then::kNothing) return Hold();
    if (reply_.then == Then::kCloseUnanswered) return Close();
    response_ = {static_cast<http::status>(reply_.status), 11};
    response_.keep_alive(request_.keep_alive() && reply_.then != Then::kAnnounceAndClose);
    response_.body() = reply_.body;
    response_.prepare_payload();
    if (reply_.then == Then::kCloseHalfway) response_.body().resize(reply_.body.size() / 2);
    http::async_write(socket_, response_, [self = shared_from_this()](error_code error, std::size_t) {
      self->server_.done(self->request_.keep_alive());
      if (error || self->reply_.then != Then::kKeep || !self->response_.keep_alive()) return self->Close();
      self->Read();
    });
  }

  // Until the client gives up.
  void Hold() {
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code) { self->Close(); });
  }

  void Close() {
    error_code ignored;
    socket_.close(ignored);
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  Server server_;
  boost::beast::flat_buffer buffer_;
  http::request<http::string_body> request_;
  http::response<http::string_body> response_;
  ScriptedReply reply_;
};

}  // namespace

ScriptedReply ScriptedServer::Impl::Next(ScriptedRequest request) {
  {
    const std::lock_guard lock(mutex);
    request.number = requests++;
    if (request.kept) most_kept_busy = std::max(most_kept_busy, ++kept_busy);
  }
  came.notify_all();
  return script(request);
}

void ScriptedServer::Impl::Done(bool kept) {
  const std::lock_guard lock(mutex);
  if (kept) --kept_busy;
}

void ScriptedServer::Impl::Accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (error) return;
    std::make_shared<ScriptedConnection>(
        std::move(socket), ScriptedConnection::Server{.next = [this](ScriptedRequest r) { return Next(std::move(r)); },
                                                      .done = [this](bool kept) { Done(kept); }})
        ->Read();
    Accept();
  });
}

ScriptedServer::ScriptedServer(Script script) : impl_(std::make_unique<Impl>(std::move(script))) {
  impl_->Accept();
  impl_->thread = std::thread([this] { impl_->io.run(); });
}

ScriptedServer::~ScriptedServer() {
  impl_->io.stop();
  impl_->thread.join();
}

std::string ScriptedServer::Target() const {
  return "127.0.0.1:" + std::to_string(impl_->acceptor.local_endpoint().port());
}

bool ScriptedServer::WaitForRequests(int count) const {
  std::unique_lock lock(impl_->mutex);
  return impl_->came.wait_for(lock, std::chrono::seconds(20), [&] { return impl_->requests >= count; });
}

int ScriptedServer::requests() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->requests;
}

int ScriptedServer::most_kept_busy() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->most_kept_busy;
}

}  // namespace baton::load
