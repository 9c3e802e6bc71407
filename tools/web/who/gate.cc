#include "tools/web/who/gate.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/access/identity.h"
#include "tools/web/answers.h"

namespace baton::web {
namespace {

constexpr char kCookie[] = "__Host-baton";
constexpr char kCookieKind[] = "; Path=/; Secure; HttpOnly; SameSite=Strict";
constexpr std::size_t kTokenMost = 256;

// "ADDRESS:PORT" without the port; of "[::1]:80" the part within.
std::string HostOf(std::string host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  host = host.substr(0, host.rfind(':'));
  std::ranges::transform(host, host.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return host;
}

// An address, not a name that begins like one: 127.0.0.1.evil.example is whoever evil.example says.
bool IsLoopback(const std::string& host) {
  const bool address = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host == "::1" || (address && host.starts_with("127."));
}

bool HasWord(const std::string& list, const std::string& word) {
  std::size_t at = 0;
  while (at <= list.size()) {
    std::size_t end = list.find_first_of(", ", at);
    if (end == std::string::npos) end = list.size();
    if (list.compare(at, end - at, word) == 0) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

Gate::Gate(GateOptions options) : options_(std::move(options)) {
  if (!options_.tokens.empty()) tokens_ = std::make_unique<Tokens>(options_.tokens);
}

std::optional<http::Response> Gate::Refuse(const http::Request& request) const {
  const std::string host = request.Header("host");
  if (!request.peer.unix_socket && !IsOurHost(HostOf(host))) {
    return Problem("permission_denied", "this page is not reached as " + host + ": name it to baton-web as --host");
  }
  // A page of another site may ask for what it cannot read, and so use up live streams. Browsers say where a request
  // comes from.
  const std::string site = request.Header("sec-fetch-site");
  const bool shown = request.path != "/live" && !request.path.starts_with("/api/");
  if (!shown && !site.empty() && site != "same-origin" && site != "none") {
    return Problem("permission_denied", "another site's page cannot call this one");
  }
  if (request.method == "GET") return std::nullopt;
  if (request.method != "POST") {
    http::Response response = Problem("unimplemented", "GET and POST are all there is");
    response.status = 405;
    return response;
  }
  const std::string kind = request.Header("content-type");
  if (kind != "application/json" && !kind.starts_with("application/json;")) {
    http::Response response = Problem("invalid_argument", "Content-Type must be application/json");
    response.status = 415;
    return response;
  }
  if (request.Header("baton-page") != "1") return Problem("permission_denied", "the header Baton-Page: 1 is missing");
  if (request.Has("origin")) {
    const std::string origin = request.Header("origin");
    const std::size_t slashes = origin.find("://");
    if (slashes == std::string::npos || origin.substr(slashes + 3) != host) {
      return Problem("permission_denied", "Origin and Host differ: another site's page cannot call this one");
    }
  }
  return std::nullopt;
}

std::optional<Person> Gate::Who(const http::Request& request, Time now) {
  if (request.peer.unix_socket) return OfProxy(request);
  if (!options_.tls) return Person{"loopback", options_.loopback_role};
  if (request.peer.certificate && !options_.trust_domain.empty()) {
    const Result<Identity> identity = IdentityOf(request.peer.uris, options_.trust_domain);
    if (identity && IsPersonName(identity->name)) {
      if (identity->role == Role::kViewer || identity->role == Role::kOperator || identity->role == Role::kAdmin) {
        return Person{identity->name, identity->role};
      }
    }
    return std::nullopt;
  }
  const std::string session = request.Cookie(kCookie);
  return session.empty() ? std::nullopt : sessions_.Find(session, now);
}

http::Response Gate::LogIn(const http::Request& request, Time now) {
  if (!tokens_) return Problem("not_found", "nobody logs in here with a token");
  if (!limit_.MayTry(request.peer.address, now)) {
    return Problem("resource_exhausted", "too many failed logins from " + request.peer.address + ": wait a minute");
  }
  const auto body = nlohmann::json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  std::string token;
  if (body.is_object() && body.contains("token") && body["token"].is_string()) token = body["token"].get<std::string>();
  const std::optional<Person> person = token.size() <= kTokenMost ? tokens_->Find(token) : std::nullopt;
  if (!person) {
    limit_.Failed(request.peer.address, now);
    return Problem("unauthenticated", "no such token");
  }
  http::Response response =
      Json(nlohmann::ordered_json{{"name", person->name}, {"role", RoleWord(person->role)}}.dump());
  response.headers.emplace_back("Set-Cookie", std::string(kCookie) + '=' + sessions_.Begin(*person, now) + kCookieKind);
  return response;
}

http::Response Gate::LogOut(const http::Request& request) {
  sessions_.End(request.Cookie(kCookie));
  http::Response response = Json("{}");
  response.headers.emplace_back("Set-Cookie", std::string(kCookie) + "=; Max-Age=0" + kCookieKind);
  return response;
}

bool Gate::IsOurHost(const std::string& host) const { return IsLoopback(host) || options_.hosts.contains(host); }

std::optional<Person> Gate::OfProxy(const http::Request& request) const {
  const std::string user = request.Header("x-forwarded-user");
  if (!IsPersonName(user)) return std::nullopt;
  const bool steers =
      !options_.operator_group.empty() && HasWord(request.Header("x-forwarded-groups"), options_.operator_group);
  return Person{user, steers ? Role::kOperator : Role::kViewer};
}

void AddSafetyHeaders(http::Response& response) {
  response.headers.emplace_back(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
}

}  // namespace baton::web
