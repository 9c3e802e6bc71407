#include "tools/metrics/metrics_server.h"

namespace baton {
namespace {

using std::chrono::milliseconds;

// Prometheus keeps its connection between two looks, a minute apart by default.
constexpr http::Limits kLimits{
    .body = 1024, .connections = 32, .for_head = milliseconds(1000), .for_body = milliseconds(1000)};

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

MetricsServer::~MetricsServer() {
  boost::asio::post(loop_, [this] {
    server_.Stop();
    loop_.stop();
  });
}

Status MetricsServer::Listen(const std::string& address) {
  if (Status listens = server_.Listen(Resolved(address), nullptr); !listens) return listens;
  thread_ = std::jthread([this] { loop_.run(); });
  return Done{};
}

}  // namespace baton
