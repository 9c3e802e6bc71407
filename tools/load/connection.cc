#include "tools/load/connection.h"

namespace baton::load {
namespace {

constexpr std::size_t kMostBodyBytes = 1024 * 1024;
constexpr std::size_t kShownBytes = 100;
constexpr std::chrono::seconds kOtherCloses{1};

// The beginning of a body, on one line.
std::string Shown(const std::string& body) {
  std::string shown = body.substr(0, kShownBytes);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return "'" + shown + (body.size() > kShownBytes ? "...'" : "'");
}

std::string WhyNotRead(error_code error) {
  if (error == http::error::end_of_stream) return "the connection was closed before an answer";
  if (error == http::error::partial_message) return "the connection was closed in the middle of an answer";
  return "no answer could be read: " + error.message();
}

}  // namespace

LoadConnection::LoadConnection(asio::io_context& io, const LoadTarget& target)
    : target_(target), socket_(io), timer_(io) {}

void LoadConnection::Ask(const std::string& path, std::chrono::steady_clock::time_point due, After after, Done done) {
  done_ = std::move(done);
  after_ = after;
  ++asked_;
  ++requests_;
  request_ = {http::verb::get, path, 11};
  request_.set(http::field::host, target_.host);
  request_.keep_alive(after == After::kKeep);
  timer_.expires_at(due + target_.timeout);
  timer_.async_wait([self = shared_from_this(), asked = asked_](error_code cancelled) {
    if (!cancelled && asked == self->asked_) self->TimeOut();
  });
  connected_ ? Write() : Connect();
}

void LoadConnection::Connect() {
  stage_ = Stage::kConnecting;
  socket_.async_connect(target_.endpoint, [self = shared_from_this()](error_code error) {
    if (!self->done_) return;  // timed out
    if (error) return self->Fail("cannot connect: " + error.message());
    self->connected_ = true;
    error_code ignored;  // without these options the load works, though later
    self->socket_.set_option(tcp::no_delay(true), ignored);
    self->socket_.non_blocking(true, ignored);
    self->Write();
  });
}

void LoadConnection::Write() {
  stage_ = Stage::kSending;
  http::async_write(socket_, request_, [self = shared_from_this()](error_code error, std::size_t) {
    if (!self->done_) return;
    if (error) return self->Fail("the request could not be sent: " + error.message());
    self->Read();
  });
}

void LoadConnection::Read() {
  stage_ = Stage::kWaiting;
  parser_.emplace();
  parser_->body_limit(kMostBodyBytes);
  http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
    if (!self->done_) return;
    if (error) return self->Fail(WhyNotRead(error));
    self->Judge();
  });
}

void LoadConnection::Judge() {
  const http::response<http::string_body>& response = parser_->get();
  const bool reusable = parser_->keep_alive() && after_ == After::kKeep && buffer_.size() == 0;
  if (response.result_int() != 200) {
    return Fail("answered " + std::to_string(response.result_int()) + " " + Shown(response.body()), reusable);
  }
  const std::optional<HelloAnswer> answer = ParseHelloAnswer(response.body());
  if (!answer) return Fail("answered 200 with a body that is not hello's: " + Shown(response.body()), reusable);
  if (buffer_.size() > 0) return Fail("more bytes came than belong to the answer");
  Finish({.failure = {}, .answer = *answer, .reusable = reusable});
}

void LoadConnection::TimeOut() {
  if (!done_) return;
  constexpr const char* kWas[] = {"connecting", "sending the request", "waiting for the answer"};
  Fail("no answer within " + std::to_string(target_.timeout.count()) + " ms, it was " + kWas[static_cast<int>(stage_)]);
}

void LoadConnection::Fail(std::string why, bool reusable) {
  if (after_ == After::kKeep) why += " (request " + std::to_string(requests_) + " on its connection)";
  Finish({.failure = std::move(why), .answer = {}, .reusable = reusable});
}

void LoadConnection::Finish(LoadOutcome outcome) {
  timer_.cancel();
  if (!outcome.reusable) outcome.failure.empty() ? CloseAfterOther() : Close();
  std::exchange(done_, nullptr)(std::move(outcome));
}

void LoadConnection::CloseAfterOther() {
  timer_.expires_after(kOtherCloses);
  timer_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (!cancelled) self->Close();
  });
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code) {
    self->timer_.cancel();
    self->Close();
  });
}

void LoadConnection::WatchIdle(std::function<void()> gone) {
  socket_.async_wait(tcp::socket::wait_read,
                     [self = shared_from_this(), asked = asked_, gone = std::move(gone)](error_code cancelled) {
                       if (!cancelled && asked == self->asked_) gone();
                     });
}

bool LoadConnection::GoneWhileIdle() {
  ++asked_;  // cancels a watcher whose callback is already queued
  error_code error;
  socket_.cancel(error);
  char byte;
  socket_.receive(asio::buffer(&byte, 1), tcp::socket::message_peek, error);
  return error != asio::error::would_block;
}

void LoadConnection::Close() {
  error_code ignored;  // the other side may have closed it first
  socket_.close(ignored);
}

}  // namespace baton::load
