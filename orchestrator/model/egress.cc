#include "orchestrator/model/egress.h"

#include <optional>

namespace baton {
namespace {

constexpr char kOthers[] = "*";

std::optional<UnenforcedEgress> Parse(const std::string& word) {
  if (word == Name(UnenforcedEgress::kRefuse)) return UnenforcedEgress::kRefuse;
  if (word == Name(UnenforcedEgress::kWarn)) return UnenforcedEgress::kWarn;
  return std::nullopt;
}

}  // namespace

std::string Name(UnenforcedEgress what) { return what == UnenforcedEgress::kWarn ? "warn" : "refuse"; }

UnenforcedEgress EgressPolicy::Of(const std::string& domain) const {
  const auto named = by_domain.find(domain);
  return named == by_domain.end() ? others : named->second;
}

Status Take(const std::string& word, EgressPolicy& policy) {
  const auto wrong = [&](const std::string& why) {
    return Error{ErrorKind::kInvalidArgument, "'" + word + "' " + why, {}};
  };
  const std::size_t at = word.rfind('=');  // a domain may have one of its own
  const auto what = at == std::string::npos ? std::nullopt : Parse(word.substr(at + 1));
  if (!what || at == 0) return wrong("is neither DOMAIN=refuse nor DOMAIN=warn");
  const std::string domain = word.substr(0, at);
  if (domain == kOthers) return policy.others = *what, Done{};
  if (!policy.by_domain.emplace(domain, *what).second) return wrong("names its domain a second time");
  return Done{};
}

}  // namespace baton
