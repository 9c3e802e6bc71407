#include "sql/session/database_url.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <netinet/in.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
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

// A machine of several that has vanished without a word holds up the way to the next one: no longer than libpq can be
// asked for. Which of them is the primary, libpq finds out itself; a replica is never taken for it (invariants D16).
const std::map<std::string, std::string>& DefaultsOfSeveral() {
  static const std::map<std::string, std::string> kDefaults = {{"connect_timeout", "2"},
                                                               {"target_session_attrs", "read-write"}};
  return kDefaults;
}

using Settings = std::map<std::string, std::string>;
using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

Settings In(const Options& options) {
  Settings settings;
  for (const PQconninfoOption* option = options.get(); option && option->keyword; ++option) {
    if (option->val) settings[option->keyword] = option->val;  // also "": it says that no variable counts
  }
  return settings;
}

std::string Written(const Settings& settings) {
  std::string all;
  for (const auto& [name, value] : settings) all += (all.empty() ? "" : " ") + name + "=" + Quoted(value);
  return all;
}

// What libpq makes of `given` by its environment and its files of services; nothing: it does not take that. It is asked
// itself, since no other function of its reads the service that a url names, and connects to nobody: one option has a
// value which it refuses, after it has put all of them together and before anything else.
std::optional<Settings> Resolved(Settings given) {
  constexpr char kRefused[] = "target_session_attrs";
  constexpr char kNotToConnect[] = "not to connect";
  given[kRefused] = kNotToConnect;
  const std::unique_ptr<PGconn, decltype(&PQfinish)> asked(PQconnectStart(Written(given).c_str()), &PQfinish);
  if (!asked || std::string_view(PQerrorMessage(asked.get())).find(kNotToConnect) == std::string_view::npos) return std::nullopt;
  return In(Options(PQconninfo(asked.get()), &PQconninfoFree));
}

bool IsOnThisMachine(std::string_view host) {
  if (host.empty() || host.starts_with('/') || host.starts_with('@') || host == "localhost") return true;
  in_addr v4{};
  in6_addr v6{};
  const std::string text(host);
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

// Of a list with commas between; empty beyond its end.
std::string_view Nth(std::string_view list, int n) {
  for (; n > 0; --n) {
    const std::size_t comma = list.find(',');
    if (comma == std::string_view::npos) return "";
    list.remove_prefix(comma + 1);
  }
  return list.substr(0, list.find(','));
}

std::string Value(const Settings& settings, const std::string& name) {
  const auto at = settings.find(name);
  return at == settings.end() ? "" : at->second;
}

auto Places(const std::string& hosts, const std::string& addresses) {
  return 1 + std::max(std::ranges::count(hosts, ','), std::ranges::count(addresses, ','));
}

// Of all that libpq would try, the first that is another machine; empty: none. An address goes before the host at the same
// place of its list.
std::string OtherMachine(const std::string& hosts, const std::string& addresses) {
  const auto places = Places(hosts, addresses);
  for (int n = 0; n < places; ++n) {
    const std::string_view address = Nth(addresses, n);
    const std::string_view place = address.empty() ? Nth(hosts, n) : address;
    if (!IsOnThisMachine(place)) return std::string(place);
  }
  return "";
}

// A password with an '@' that is not escaped is taken for a part of the host.
std::string Shown(const std::string& place) {
  const bool is_name = std::ranges::all_of(place, [](unsigned char c) { return std::isalnum(c) != 0 || (c != 0 && std::strchr(".-_:%[]", c)); });
  return is_name ? place : "no host name; an '@' in a password is written %40";
}

}  // namespace

Result<std::string> CheckedDatabase(const std::string& url, bool insecure, const std::string& option) {
  const Options parsed(PQconninfoParse(url.c_str(), nullptr), &PQconninfoFree);
  if (!parsed) return url;  // nothing can be reached by it; who connects with it says what is wrong
  Settings given = In(parsed);
  auto resolved = Resolved(given);
  if (!resolved) {
    return Error{ErrorKind::kFailedPrecondition,
                 "where " + option + " leads cannot be made out: it, or what libpq takes from the environment (PGHOST, PGSSLMODE), names "
                 "a service that no service file has, lists of hosts, addresses and ports of different lengths, or a value that libpq does not take",
                 {}};
  }
  const std::string other = OtherMachine((*resolved)["host"], (*resolved)["hostaddr"]);
  if (!insecure && !other.empty() && (*resolved)["sslmode"] != "verify-full") {
    return Error{ErrorKind::kFailedPrecondition,
                 "PostgreSQL on another machine (" + Shown(other) + ") takes sslmode=verify-full in " + option + ", with its authority in "
                 "sslrootcert (and channel_binding=require where it asks for a password); --database-insecure goes without",
                 {}};
  }
  // Said, even where they are empty: neither a variable nor a service file that is changed leads elsewhere.
  for (const char* name : {"host", "hostaddr", "port", "sslmode"}) given[name] = (*resolved)[name];
  return Written(given);
}

std::string WithTimeouts(const std::string& url) {
  const Options parsed(PQconninfoParse(url.c_str(), nullptr), &PQconninfoFree);
  if (!parsed) return url;
  Settings settings = In(parsed);
  if (Places(Value(settings, "host"), Value(settings, "hostaddr")) > 1)
    settings.insert(DefaultsOfSeveral().begin(), DefaultsOfSeveral().end());
  settings.insert(Defaults().begin(), Defaults().end());
  return Written(settings);
}

}  // namespace baton
