#include "orchestrator/server/calls/audited_methods.h"

#include <set>
#include <string>

#include "orchestrator/base/check.h"
#include "orchestrator/server/calls/counted_calls.h"
#include "orchestrator/wire/messages/access_options.h"

namespace baton {
namespace {

std::set<std::string, std::less<>> Changing() {
  const auto all = wire::AccessOfAll(CountedServices());
  CHECK(all.ok());  // a server does not start where one has no such option
  std::set<std::string, std::less<>> methods;
  for (const auto& [path, access] : *all) {
    if (access.effect == CallEffect::kChanges) methods.insert(path.substr(1));
  }
  return methods;
}

}  // namespace

bool IsAudited(std::string_view method) {
  static const std::set<std::string, std::less<>> kMethods = Changing();
  return kMethods.contains(method);
}

}  // namespace baton
