#include "tests/cases/kinds.h"

namespace baton::cases {

const std::map<std::string_view, Mapping>& Kinds() {
  static const std::map<std::string_view, Mapping> kKinds = {
      {"budget", Budget},
      {"cancel", Cancel},
      {"canary_plan", CanaryPlan},
      {"capi_down", CapiDown},
      {"capi_finished", CapiFinished},
      {"capi_step", CapiStep},
      {"capi_up", CapiUp},
      {"cleanup_unhealthy_old", CleanupUnhealthyOld},
      {"complete", Complete},
      {"deadline", Deadline},
      {"deadline_timer", DeadlineTimer},
      {"definition_gc", DefinitionGc},
      {"delete_preempts", DeletePreempts},
      {"fail_reaction", FailReaction},
      {"floor", FloorCase},
      {"hold", Hold},
      {"instance_action", InstanceAction},
      {"missing", Missing},
      {"next_group", NextGroup},
      {"node_loss", NodeLoss},
      {"old_alive", OldAlive},
      {"progress", ProgressCase},
      {"promote", Promote},
      {"resolve_limits", ResolveLimitsCase},
      {"restart_strategy", RestartStrategy},
      {"scale_during_roll", ScaleDuringRoll},
      {"scale_new", ScaleNew},
      {"scale_new_recreate", ScaleNewRecreate},
      {"scale_old", ScaleOld},
      {"start_first", StartFirst},
      {"weighted_step", WeightedStep},
  };
  return kKinds;
}

}  // namespace baton::cases
