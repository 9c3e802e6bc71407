#include "tools/shim/steps/monitor.h"

#include <memory>
#include <optional>

#include "tools/shim/output_log.h"
#include "tools/shim/steps/children.h"
#include "tools/shim/steps/plan.h"
#include "tools/shim/steps/step.h"

namespace baton::shim {

int RunMonitorOnce(EventLoop& loop, const InstanceDir& dir) {
  OutputLog log(dir.MonitorLog());
  const Result<v1::DesiredLRPRunInfo> plan = ReadPlan(dir);
  const std::optional<Launch> launch = ReadLaunch(dir);
  if (!plan || !launch || !plan->has_monitor()) return 1;
  Children children(loop, log, [] {});
  StepContext context{loop,    children,
                      log,     dir.Root(),
                      *launch, {plan->environment_variables().begin(), plan->environment_variables().end()},
                      UserOf(plan->action())};
  const std::unique_ptr<Step> step = MakeStep(plan->monitor(), context, "monitor");
  bool healthy = false;
  step->Start([&](Outcome outcome) {
    healthy = outcome.ok;
    if (!outcome.ok) log.Append(outcome.reason);
    children.EndAll({}, [&loop] { loop.Stop(); });
  });
  loop.Run();
  return healthy ? 0 : 1;
}

}  // namespace baton::shim
