#include "examples/hello/connection.h"

namespace baton::examples {
namespace {

constexpr std::size_t kMostBodyBytes = 64 * 1024;
constexpr std::chrono::seconds kFirstRequestGrace{1};

}  // namespace

Connection::Connection(tcp::socket socket, HelloState& state, std::function<void(Connection*)> on_end)
    : socket_(std::move(socket)), state_(state), on_end_(std::move(on_end)), timer_(socket_.get_executor()) {}

Connection::~Connection() { on_end_(this); }

void Connection::Drain() {
  draining_ = true;
  if (!reading_ || !Idle()) return;
  if (asked_before_) return Close();
  timer_.expires_after(kFirstRequestGrace);
  timer_.async_wait([self = shared_from_this()](error_code error) {
    if (!error && self->reading_ && self->Idle()) self->Close();
  });
}

bool Connection::Idle() {
  error_code ignored;
  return !parser_->got_some() && buffer_.size() == 0 && socket_.available(ignored) == 0;
}

// There is no time limit on reading: a proxy may keep an idle connection for as long as it likes.
void Connection::Read() {
  parser_.emplace();
  parser_->body_limit(kMostBodyBytes);
  reading_ = true;
  http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
    self->reading_ = false;
    self->timer_.cancel();
    if (error) return self->Close();
    const http::request<http::string_body>& request = self->parser_->get();
    const auto target = request.target();
    self->WaitToAnswer(DecideAnswer(self->state_, request.method(), {target.data(), target.size()}));
  });
}

void Connection::WaitToAnswer(Answer answer) {
  asked_before_ = true;
  if (answer.wait.count() == 0) return Write(std::move(answer));
  timer_.expires_after(answer.wait);
  timer_.async_wait([self = shared_from_this(), answer = std::move(answer)](error_code error) mutable {
    if (!error) self->Write(std::move(answer));
  });
}

void Connection::Write(Answer answer) {
  const http::request<http::string_body>& request = parser_->get();
  response_ = {answer.status, request.version()};
  response_.set(http::field::content_type, "application/json");
  response_.keep_alive(request.keep_alive() && !draining_);
  response_.body() = std::move(answer.body);
  response_.prepare_payload();
  if (request.method() == http::verb::head) response_.body().clear();  // the headers stay those of GET
  http::async_write(socket_, response_, [self = shared_from_this()](error_code error, std::size_t) {
    ++self->state_.answered;
    if (error || !self->response_.keep_alive() || self->draining_) return self->Close();
    self->Read();
  });
}

void Connection::Close() {
  error_code ignored;  // the client may have closed it first
  timer_.cancel();
  socket_.shutdown(tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace baton::examples
