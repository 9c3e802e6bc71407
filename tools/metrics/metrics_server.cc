#include "tools/metrics/metrics_server.h"

namespace baton {
namespace {

using std::chrono::milliseconds;

// Nobody's connection is worth keeping: Prometheus looks every few seconds at most, and opens another one.
constexpr milliseconds kPatience(1000);
constexpr http::Limits kLimits{
    .body = 1024, .for_head = kPatience, .for_body = kPatience, .idle = kPatience, .for_write = 5 * kPatience};

// Exposition format 0.0.4 of Prometheus.
constexpr char kTextFormat[] = "text/plain; version=0.0.4; charset=utf-8";

http::Response Answer(const http::Request& request, const std::function<std::string()>& text) {
  if (request.path != "/metrics") return {.status = 404, .body = "metrics are at /metrics\n"};
  if (request.method != "GET") return {.status = 405, .body = "GET /metrics\n", .headers = {{"Allow", "GET, HEAD"}}};
  return {.content_type = kTextFormat, .body = text()};
}

// The name of every machine for itself (RFC 6761).
std::string Resolved(const std::string& address) {
  constexpr std::string_view kLocalhost = "localhost:";
  return address.starts_with(kLocalhost) ? "127.0.0.1:" + address.substr(kLocalhost.size()) : address;
}

}  // namespace

MetricsServer::MetricsServer(std::function<std::string()> text)
    : server_(loop_, kLimits,
              [text = std::move(text)](const http::ExchangePtr& exchange, const http::Request& request) {
                exchange->Answer(Answer(request, text));
              }) {}

MetricsServer::~MetricsServer() { loop_.stop(); }

Status MetricsServer::Listen(const std::string& address) {
  if (Status listens = server_.Listen(Resolved(address), nullptr); !listens) return listens;
  thread_ = std::jthread([this] { loop_.run(); });
  return Done{};
}

}  // namespace baton
