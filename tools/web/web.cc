#include "tools/web/web.h"

#include <nlohmann/json.hpp>

#include "orchestrator/model/version.h"
#include "tools/web/answers.h"
#include "tools/web/calls/caller.h"
#include "tools/web/fleet/row_json.h"
#include "tools/web/plan_file.h"

namespace baton::web {
namespace {

constexpr std::chrono::seconds kCountEvery(1);

GateOptions GateOf(const WebOptions& o) {
  return {.tls = !o.tls_cert.empty(),
          .loopback_role = PageRole(o.loopback_role).value_or(Role::kViewer),
          .hosts = {o.hosts.begin(), o.hosts.end()},
          .trust_domain = o.client_ca.empty() ? "" : o.trust_domain,
          .tokens = o.tokens,
          .operator_group = o.operator_group};
}

bool IsLoopbackAddress(const std::string& listen) { return listen.starts_with("127.") || listen.starts_with("[::1]:"); }

std::int64_t NowNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::string FaultIn(const WebOptions& o) {
  if (!IsPersonName(o.id)) return "--id must be of [A-Za-z0-9._-], at most 64";
  if (o.tls_cert.empty() != o.tls_key.empty()) return "--tls-cert and --tls-key go together";
  if (o.tls_cert.empty() && !IsLoopbackAddress(o.listen)) {
    return "--listen " + o.listen +
           " is reached from other machines: it takes --tls-cert and --tls-key; without TLS only 127.0.0.1 or [::1]";
  }
  if (o.tls_cert.empty() && (!o.client_ca.empty() || !o.tokens.empty()))
    return "--client-ca and --tokens take --tls-cert and --tls-key";
  if (!o.tls_cert.empty() && o.client_ca.empty() && o.tokens.empty() && o.proxy_socket.empty()) {
    return "nobody could come in: give --tokens, --client-ca or --proxy-socket besides --tls-cert";
  }
  if (!o.operator_group.empty() && o.proxy_socket.empty()) return "--operator-group is of --proxy-socket";
  return "";
}

Web::Web(boost::asio::io_context& loop, const WebOptions& options, Methods methods, ClientCredentials credentials,
         Log& log, Metrics& metrics)
    : options_(options), methods_(std::move(methods)), calls_(loop, options.batond, credentials), log_(log),
      metrics_(metrics), certificate_(credentials != nullptr), gate_(GateOf(options)),
      gateway_(methods_, calls_, certificate_), hub_(calls_, certificate_, http::Limits().behind),
      server_(
          loop, {},
          [this](const http::ExchangePtr& exchange, http::Request request) { Handle(exchange, std::move(request)); }),
      count_(loop) {}

Status Web::Start() {
  if (Tokens* tokens = gate_.tokens()) {
    if (const Status read = tokens->Read(); !read) return read;
  }
  std::shared_ptr<http::TlsFiles> tls;
  if (!options_.tls_cert.empty()) {
    tls = std::make_shared<http::TlsFiles>(options_.tls_cert, options_.tls_key, options_.client_ca);
    if (const Status read = tls->Read(); !read) return read;
  }
  if (const Status listens = server_.Listen(options_.listen, tls); !listens) return listens;
  if (!options_.proxy_socket.empty()) {
    if (const Status listens = server_.ListenUnix(options_.proxy_socket); !listens) return listens;
  }
  hub_.Start();
  Count();
  return Done{};
}

void Web::Stop() {
  count_.cancel();
  hub_.Stop();
  server_.Stop();
}

void Web::Handle(const http::ExchangePtr& exchange, http::Request request) {
  metrics_.Count("baton_web_requests_total", request.method == "GET" ? "get" : "post", 1);
  const auto answer = [&](http::Response response) {
    AddSafetyHeaders(response);
    log_.Debug("request", {{"method", request.method}, {"path", request.path}, {"status", response.status}});
    exchange->Answer(std::move(response));
  };
  if (auto refused = gate_.Refuse(request)) {
    log_.Info("refused", {{"path", request.path}, {"status", refused->status}});
    return answer(*std::move(refused));
  }
  const auto now = std::chrono::steady_clock::now();
  const bool reads = request.method == "GET";
  if (request.path == "/healthz" && reads) return answer({.body = "ok\n"});
  if (request.path == "/login" && !reads) return answer(gate_.LogIn(request, now));
  if (request.path == "/logout" && !reads) return answer(gate_.LogOut(request));
  const bool data = request.path == "/live" || request.path.starts_with("/live/") || request.path.starts_with("/api/");
  if (!data) return answer(reads ? assets_.Get(request) : Problem("not_found", "there is no " + request.path));
  const std::optional<Person> person = gate_.Who(request, now);
  if (!person) {
    http::Response response =
        Json(Text({{"code", "unauthenticated"}, {"message", "who are you?"}, {"login", gate_.takes_tokens()}}));
    response.status = 401;
    return answer(std::move(response));
  }
  if (request.path == "/live" && reads) return hub_.Open(exchange, *person);
  if (request.path.starts_with("/live/") && !reads)
    return answer(hub_.Look(request.path.substr(6), request.body, *person));
  if (request.path == "/api/me") return answer(Me(*person));
  Api(exchange, request, *person);
}

void Web::Api(const http::ExchangePtr& exchange, const http::Request& request, const Person& person) {
  if (request.method != "POST") {
    http::Response response = Problem("unimplemented", "the API takes POST");
    response.status = 405;
    return exchange->Answer(std::move(response));
  }
  log_.Debug("call", {{"path", request.path}, {"person", person.name}, TraceField(TraceOf(request).trace_id())});
  if (request.path == "/api/plan") return PlanFile(calls_, certificate_, person, exchange, request.body);
  gateway_.Call(request.path.substr(5), person, exchange, request);
}

http::Response Web::Me(const Person& person) const {
  return Json(Text({{"name", person.name},
                    {"role", RoleWord(person.role)},
                    {"login", gate_.takes_tokens()},
                    {"server_version", kAppVersion},
                    {"leader", calls_.address()},
                    {"away_since", std::to_string(hub_.away_since())},
                    {"at", std::to_string(NowNanoseconds())}}));
}

void Web::Count() {
  metrics_.Set("baton_web_viewers", static_cast<double>(hub_.viewers()), "");
  metrics_.Set("baton_web_connections", static_cast<double>(server_.connections()), "");
  metrics_.Set("baton_web_apps", static_cast<double>(hub_.table().counts().apps), "");
  count_.expires_after(kCountEvery);
  count_.async_wait([this](const boost::system::error_code& fault) {
    if (!fault) Count();
  });
}

}  // namespace baton::web
