// A definition's run info, read for what the shim does with it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/base/result.h"
#include "tools/shim/instance_dir.h"
#include "tools/shim/steps/step.h"

namespace baton::shim {

Result<v1::DesiredLRPRunInfo> ReadPlan(const InstanceDir& dir);

// Cached dependencies and set-up, in this order; nothing if there is neither.
std::unique_ptr<Step> MakeSetup(const v1::DesiredLRPRunInfo& plan, StepContext& context);
// The action and its sidecars.
std::unique_ptr<Step> MakeLongRunning(const v1::DesiredLRPRunInfo& plan, StepContext& context);

// The user of the first process that the action runs; empty: our own.
std::string UserOf(const v1::Action& action);
// Every file that the definition and its actions bring along.
std::vector<v1::File> FilesOf(const v1::DesiredLRPRunInfo& plan);
// Makes the root, owned by `user`, and writes the files into it with mode 0600.
Status PrepareRoot(const std::string& root, const std::string& user, const std::vector<v1::File>& files);

}  // namespace baton::shim
