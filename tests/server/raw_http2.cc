#include "tests/server/raw_http2.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

// RFC 9113, 6.
constexpr std::uint8_t kData = 0, kHeaders = 1, kReset = 3, kSettings = 4, kPing = 6, kGoAway = 7;
constexpr std::uint8_t kAck = 1, kEndStream = 1, kEndHeaders = 4;
constexpr std::uint32_t kTheCall = 1;
const std::string kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::uint32_t kInitialWindowSize = 4;

std::string Number(std::uint32_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += static_cast<char>(value >> shift);
  return text;
}

// A literal that is not indexed, without Huffman; shorter than 127 bytes each (RFC 7541, 6.2.2).
std::string Header(const std::string& name, const std::string& value) {
  CHECK(name.size() < 127 && value.size() < 127);
  return std::string(1, '\0') + static_cast<char>(name.size()) + name + static_cast<char>(value.size()) + value;
}

std::string HeadersOf(const std::string& method) {
  return Header(":method", "POST") + Header(":scheme", "http") + Header(":path", method) + Header(":authority", "test") +
         Header("content-type", "application/grpc") + Header("te", "trailers");
}

std::string FrameOf(std::uint8_t type, std::uint8_t flags, std::uint32_t stream, const std::string& payload) {
  return Number(static_cast<std::uint32_t>(payload.size()), 3) + static_cast<char>(type) + static_cast<char>(flags) +
         Number(stream, 4) + payload;
}

// gRPC writes the header of such an end by hand as well: as literals.
int GrpcStatusIn(const std::string& block) {
  const std::string name = "grpc-status";
  const std::size_t at = block.find(name);
  if (at == block.npos || at + name.size() + 1 >= block.size()) return -1;
  const auto length = static_cast<std::size_t>(block[at + name.size()]);
  return std::atoi(block.substr(at + name.size() + 1, length).c_str());
}

}  // namespace

RawHttp2Connection::RawHttp2Connection(const std::string& address, const Options& options) : link_(address, options.tls), drains_(options.drains) {
  const std::string settings = options.reads ? "" : Number(kInitialWindowSize, 2) + Number(0, 4);
  out_ = kPreface + FrameOf(kSettings, 0, 0, settings) + FrameOf(kSettings, kAck, 0, "");
}

std::string RawHttp2Connection::Greeting() { return kPreface + FrameOf(kSettings, 0, 0, ""); }

// After the first one a call's headers are six bytes: they are in the connection's table (RFC 7541, 2.3.2), the newest first.
std::string RawHttp2Connection::HeadersFor(const std::string& method) {
  if (method == in_table_) return "\x83\x86\xc1\xc0\xbf\xbe";
  in_table_ = method;
  const auto kept = [](const std::string& name, const std::string& value) { return "\x40" + Header(name, value).substr(1); };
  return std::string("\x83\x86") + kept(":path", method) + kept(":authority", "test") + kept("content-type", "application/grpc") +
         kept("te", "trailers");
}

void RawHttp2Connection::BeginWith(const std::string& method, std::size_t fillers, std::size_t bytes) {
  std::string block = HeadersFor(method);
  for (std::size_t i = 0; i < fillers; ++i) block += Header("x-filler-" + std::to_string(i), std::string(bytes, 'f'));
  out_ += FrameOf(kHeaders, kEndHeaders, next_, block);
  next_ += 2;
}

void RawHttp2Connection::Ask(const std::string& method) {
  const std::uint32_t stream = next_;
  Begin(method);
  out_ += FrameOf(kData, kEndStream, stream, std::string(5, '\0'));
}

void RawHttp2Connection::BeginAndCancel(const std::string& method, Sends sends) {
  constexpr std::uint32_t kCancel = 8;
  const std::uint32_t stream = next_;
  sends == Sends::kWholeCall ? Ask(method) : Begin(method);
  out_ += FrameOf(kReset, 0, stream, Number(kCancel, 4));
}

void RawHttp2Connection::Ping() { out_ += FrameOf(kPing, 0, 0, "12345678"); }

void RawHttp2Connection::Settings() { out_ += FrameOf(kSettings, 0, 0, ""); }

bool RawHttp2Connection::Flush() {
  constexpr std::chrono::seconds kPatience{5};
  auto moved = Steady::now();
  for (std::size_t at = 0; at < out_.size();) {
    if (drains_ && !link_.Drain()) return false;  // what the other side says is of no interest, but it must not have to wait
    const std::size_t sent = link_.Send(out_.data() + at, out_.size() - at);
    at += sent;
    if (sent > 0) moved = Steady::now();
    if (!link_.open() || Steady::now() - moved > kPatience) return false;
    if (sent == 0) link_.Wait(std::chrono::milliseconds(100), /*to_write=*/true);
  }
  out_.clear();
  return true;
}

RawHttp2Call::RawHttp2Call(const std::string& address, const std::string& method, const std::string& message) {
  socket_ = ConnectTo(address);
  CHECK(send(socket_, kPreface.data(), kPreface.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(kPreface.size()));
  Send(kSettings, 0, 0, Number(kInitialWindowSize, 2) + Number(0, 4));
  Send(kHeaders, kEndHeaders, kTheCall,
       HeadersOf(method));
  Send(kData, 0, kTheCall, Number(0, 1) + Number(static_cast<std::uint32_t>(message.size()), 4) + message);
}

RawHttp2Call::~RawHttp2Call() { close(socket_); }

void RawHttp2Call::Send(std::uint8_t type, std::uint8_t flags, std::uint32_t stream, const std::string& payload) {
  const std::string frame = FrameOf(type, flags, stream, payload);
  (void)send(socket_, frame.data(), frame.size(), MSG_NOSIGNAL);
}

bool RawHttp2Call::Read(std::string& into, std::size_t bytes, Steady::time_point until) {
  into.clear();
  while (into.size() < bytes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Steady::now()).count();
    pollfd wait{socket_, POLLIN, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left)) <= 0) return false;
    char buffer[4096];
    const ssize_t got = recv(socket_, buffer, std::min(sizeof(buffer), bytes - into.size()), 0);
    if (got <= 0) return false;
    into.append(buffer, static_cast<std::size_t>(got));
  }
  return true;
}

std::optional<RawHttp2Call::Frame> RawHttp2Call::Next(Steady::time_point until) {
  std::string head;
  if (!Read(head, 9, until)) return std::nullopt;
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(head[at])); };
  Frame frame{static_cast<std::uint8_t>(head[3]), static_cast<std::uint8_t>(head[4]), {}};
  if (!Read(frame.payload, byte(0) << 16 | byte(1) << 8 | byte(2), until)) return std::nullopt;
  return frame;
}

std::optional<RawHttp2Call::End> RawHttp2Call::Wait(std::chrono::milliseconds timeout) {
  const auto until = Steady::now() + timeout;
  while (const auto frame = Next(until)) {
    const bool ack = (frame->flags & kAck) != 0;
    if (frame->type == kSettings && !ack) Send(kSettings, kAck, 0, "");
    if (frame->type == kPing && !ack) Send(kPing, kAck, 0, frame->payload);
    if (frame->type == kHeaders && (frame->flags & kEndStream) != 0) return End{GrpcStatusIn(frame->payload), frame->payload};
    if (frame->type == kReset || frame->type == kGoAway) return End{-1, ""};
  }
  return std::nullopt;
}

}  // namespace baton
