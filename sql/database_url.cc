#include "sql/database_url.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <netinet/in.h>

#include <map>
#include <memory>
#include <string_view>

namespace baton {
namespace {

// Of a connection that carries something unanswered, and of one that is idle (invariants M3).
const std::map<std::string, std::string>& Defaults() {
  static const std::map<std::string, std::string> kDefaults = {{"connect_timeout", "5"},
                                                               {"tcp_user_timeout", "5000"},
                                                               {"keepalives_idle", "3"},
                                                               {"keepalives_interval", "1"},
                                                               {"keepalives_count", "3"}};
  return kDefaults;
}

std::string Quoted(const std::string& value) {
  std::string quoted = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

using Settings = std::map<std::string, std::string>;
using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

void Take(const Options& options, Settings& settings) {
  for (const PQconninfoOption* option = options.get(); option && option->keyword; ++option) {
    if (option->val && *option->val) settings[option->keyword] = option->val;
  }
}

bool IsOnThisMachine(std::string_view host) {
  if (host.empty() || host.starts_with('/') || host.starts_with('@') || host == "localhost") return true;
  in_addr v4{};
  in6_addr v6{};
  const std::string text(host);
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

// Of several hosts, with commas between, the first that is another machine; empty: none.
std::string OtherMachine(std::string_view hosts) {
  while (true) {
    const std::string_view host = hosts.substr(0, hosts.find(','));
    if (!IsOnThisMachine(host)) return std::string(host);
    if (host.size() == hosts.size()) return "";
    hosts.remove_prefix(host.size() + 1);
  }
}

}  // namespace

Status CheckDatabaseTls(const std::string& url) {
  Settings settings;
  Take(Options(PQconndefaults(), &PQconninfoFree), settings);
  const Options given(PQconninfoParse(url.c_str(), nullptr), &PQconninfoFree);
  if (!given) return Done{};  // who connects with it says what is wrong
  Settings own;
  Take(given, own);
  if (own.contains("host")) settings.erase("hostaddr");
  for (const auto& [name, value] : own) settings[name] = value;
  const bool by_service = settings.contains("service") && !settings.contains("host") && !settings.contains("hostaddr");
  const std::string other = by_service ? "of the service file" : OtherMachine(settings.contains("hostaddr") ? settings["hostaddr"]
                                                                                                          : settings["host"]);
  if (other.empty() || settings["sslmode"] == "verify-full") return Done{};
  return Error{ErrorKind::kFailedPrecondition,
               "PostgreSQL on another machine (" + other + ") takes sslmode=verify-full in --database, with its authority in "
               "sslrootcert (and channel_binding=require where it asks for a password); --database-insecure goes without",
               {}};
}

std::string WithTimeouts(const std::string& url) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(PQconninfoParse(url.c_str(), nullptr),
                                                                            &PQconninfoFree);
  if (!parsed) return url;
  std::map<std::string, std::string> settings = Defaults();
  for (const PQconninfoOption* option = parsed.get(); option->keyword; ++option) {
    if (option->val) settings[option->keyword] = option->val;
  }
  std::string all;
  for (const auto& [name, value] : settings) all += (all.empty() ? "" : " ") + name + "=" + Quoted(value);
  return all;
}

}  // namespace baton
