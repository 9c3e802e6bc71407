#include "orchestrator/server/calls/audited_methods.h"

#include <algorithm>
#include <iterator>

namespace baton {

bool IsAudited(std::string_view method) {
  static constexpr std::string_view kMethods[] = {
      "baton.v1.ActualLRPs/RetireActualLRP",     "baton.v1.DesiredLRPs/DesireLRP",
      "baton.v1.DesiredLRPs/RemoveDesiredLRP",   "baton.v1.DesiredLRPs/UpdateDesiredLRP",
      "baton.v1.Domains/UpsertDomain",           "baton.v2.ActualLRPs/RebalanceInstances",
      "baton.v2.ActualLRPs/RetireInstances",     "baton.v2.Admin/Convergence",
      "baton.v2.Admin/RotateKeys",               "baton.v2.Cells/DrainCell",
      "baton.v2.Cells/UndrainCell",              "baton.v2.Definitions/PinDefinition",
      "baton.v2.DesiredLRPs/DesireLRP",          "baton.v2.DesiredLRPs/RemoveDesiredLRP",
      "baton.v2.DesiredLRPs/ReplaceDesiredLRP",  "baton.v2.DesiredLRPs/UpdateDesiredLRP",
      "baton.v2.Domains/SetDomainEgress",        "baton.v2.Domains/UpsertDomain",
      "baton.v2.Rolls/CancelRoll",               "baton.v2.Rolls/PauseRoll",
      "baton.v2.Rolls/PromoteRoll",              "baton.v2.Rolls/ResumeRoll",
      "baton.v2.Rolls/RetryRoll",                "baton.v2.Rolls/RollBack",
      "baton.v2.Routes/RemoveRouteConsumer",     "baton.v2.Upgrades/BeginUpgrade",
      "baton.v2.Upgrades/FinishUpgrade",         "baton.v2.Upgrades/RollBackUpgrade"};
  return std::ranges::find(kMethods, method) != std::end(kMethods);
}

}  // namespace baton
