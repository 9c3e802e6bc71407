#include "sql/database_url.h"

#include <libpq-fe.h>

#include <map>
#include <memory>

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

}  // namespace

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
