#include "tools/shim/steps/step.h"

#include <chrono>
#include <filesystem>

#include "tools/shim/downloads/download.h"
#include "tools/shim/steps/combining_steps.h"
#include "tools/shim/steps/process_step.h"

namespace baton::shim {
namespace {

// A step that can only say why it cannot be run.
class ImpossibleStep final : public Step {
 public:
  ImpossibleStep(std::string reason, std::string where) : reason_(std::move(reason)), where_(std::move(where)) {}
  void Start(Done done) override { done({false, std::nullopt, reason_, where_}); }
  void Stop(StepGrace) override {}

 private:
  std::string reason_;
  std::string where_;
};

std::unique_ptr<Step> MakeRun(const v1::RunAction& run, StepContext& context, const std::string& where) {
  ChildSpec spec;
  spec.path = run.path();
  spec.arguments.assign(run.args().begin(), run.args().end());
  spec.dir = std::filesystem::path(context.root) / run.dir();  // an absolute one stays as it is
  spec.environment = Environment(context, run);
  if (run.resource_limits().has_nofile()) spec.open_files_max = run.resource_limits().nofile();
  spec.user = run.user();
  spec.cgroup = context.launch.cgroup;
  spec.discard_output = run.suppress_log_output();
  return std::make_unique<ProcessStep>(context, std::move(spec), where + ": run " + run.path());
}

std::unique_ptr<Step> MakeDownload(const v1::DownloadAction& action, StepContext& context, const std::string& where) {
  const std::string label = where + ": download " + (action.artifact().empty() ? "of an archive" : action.artifact());
  ChildSpec spec;
  spec.dir = context.root;
  spec.cgroup = context.launch.cgroup;
  spec.environment = {};
  spec.code = [download = DownloadOf(action, context.launch, context.app_user)] { return RunDownload(download); };
  return std::make_unique<ProcessStep>(context, std::move(spec), label);
}

template <class Actions>
std::vector<std::unique_ptr<Step>> MakeAll(const Actions& actions, StepContext& context, const std::string& where) {
  std::vector<std::unique_ptr<Step>> steps;
  for (const v1::Action& action : actions) steps.push_back(MakeStep(action, context, where));
  return steps;
}

std::chrono::milliseconds Limit(const v1::TimeoutAction& action) {
  if (action.timeout_ms() > 0) return std::chrono::milliseconds(action.timeout_ms());
  using Field = google::protobuf::FieldDescriptor;
  // By reflection, because the accessor of the deprecated field is a warning, and warnings are errors.
  const Field* field = v1::TimeoutAction::descriptor()->FindFieldByName("deprecated_timeout_ns");
  const std::int64_t ns = action.GetReflection()->GetInt64(action, field);
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(ns));
}

}  // namespace

std::unique_ptr<Step> MakeStep(const v1::Action& action, StepContext& context, const std::string& where) {
  const StepGrace grace = std::chrono::milliseconds(context.launch.grace_ms);
  if (action.has_run_action()) return MakeRun(action.run_action(), context, where);
  if (action.has_download_action()) return MakeDownload(action.download_action(), context, where);
  if (action.has_serial_action()) return MakeSerial(MakeAll(action.serial_action().actions(), context, where));
  if (action.has_parallel_action()) return MakeParallel(MakeAll(action.parallel_action().actions(), context, where));
  if (action.has_codependent_action()) {
    return MakeCodependent(MakeAll(action.codependent_action().actions(), context, where), where, grace);
  }
  if (action.has_timeout_action()) {
    const v1::TimeoutAction& timeout = action.timeout_action();
    return MakeTimeout(MakeStep(timeout.action(), context, where), Limit(timeout), grace, context.loop);
  }
  if (action.has_try_action()) return MakeTry(MakeStep(action.try_action().action(), context, where));
  if (action.has_emit_progress_action()) {
    const v1::EmitProgressAction& emit = action.emit_progress_action();
    return MakeEmitProgress(MakeStep(emit.action(), context, where),
                            {emit.start_message(), emit.success_message(), emit.failure_message_prefix()}, context.log);
  }
  if (action.has_upload_action()) return std::make_unique<ImpossibleStep>(where + ": upload is not supported", where);
  return std::make_unique<ImpossibleStep>(where + ": an action of no known kind", where);
}

}  // namespace baton::shim
