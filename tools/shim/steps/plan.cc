#include "tools/shim/steps/plan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>

#include "tools/shim/account.h"
#include "tools/shim/atomic_file.h"
#include "tools/shim/downloads/download.h"
#include "tools/shim/downloads/inside.h"
#include "tools/shim/steps/combining_steps.h"

namespace baton::shim {
namespace {

namespace fs = std::filesystem;

// What the machine has not; the other kind is the plan's own fault.
Error LackError(const std::string& text) { return Error{ErrorKind::kResourceExhausted, text, std::nullopt}; }

bool IsOwnFault(int error) { return error == ENOTDIR || error == EISDIR || error == EEXIST || error == ENAMETOOLONG; }

// Calls `visit` for each program that the action's tree runs, in order.
void ForEachRun(const v1::Action& action, const std::function<void(const v1::RunAction&)>& visit) {
  if (action.has_run_action()) visit(action.run_action());
  if (action.has_timeout_action()) ForEachRun(action.timeout_action().action(), visit);
  if (action.has_emit_progress_action()) ForEachRun(action.emit_progress_action().action(), visit);
  if (action.has_try_action()) ForEachRun(action.try_action().action(), visit);
  for (const v1::Action& part : action.serial_action().actions()) ForEachRun(part, visit);
  for (const v1::Action& part : action.parallel_action().actions()) ForEachRun(part, visit);
  for (const v1::Action& part : action.codependent_action().actions()) ForEachRun(part, visit);
}

// A path that begins with '/' is one below the folder of such files, too (Diego): its own example is "/redis/username".
fs::path BelowRoot(const std::string& path) { return fs::path(path).relative_path(); }

Status WriteFile(const std::string& root, const v1::File& file, const Account& owner) {
  const fs::path below = BelowRoot(file.path());
  if (below.empty() || !StaysInside(below.string())) {
    return InvalidArgument("a file's path is not below the instance's directory: " + file.path());
  }
  const fs::path path = fs::path(root) / below;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) {
    const std::string text = "cannot make the directory of " + file.path() + ": " + error.message();
    return IsOwnFault(error.value()) ? InvalidArgument(text) : LackError(text);
  }
  if (fs::is_directory(path, error)) return InvalidArgument("a file's path is a directory: " + file.path());
  if (const Status written = WriteWholeFile(path, file.content()); !written) return LackError(written.error().message);
  if (!owner.switches) return Done{};
  for (fs::path part = path; part != fs::path(root); part = part.parent_path()) {
    if (lchown(part.c_str(), owner.uid, owner.gid) != 0) return LackError("cannot give away " + file.path());
  }
  return Done{};
}

}  // namespace

Result<v1::DesiredLRPRunInfo> ReadPlan(const InstanceDir& dir) {
  const std::optional<std::string> bytes = ReadWholeFile(dir.Plan());
  v1::DesiredLRPRunInfo plan;
  if (!bytes || !plan.ParseFromString(*bytes)) return LackError("the plan cannot be read");
  if (!plan.has_action()) return InvalidArgument("the definition has no action");
  return plan;
}

std::unique_ptr<Step> MakeSetup(const v1::DesiredLRPRunInfo& plan, StepContext& context) {
  std::vector<std::unique_ptr<Step>> steps;
  if (plan.cached_dependencies_size() > 0) {
    std::vector<std::unique_ptr<Step>> downloads;
    for (const v1::CachedDependency& dependency : plan.cached_dependencies()) {
      v1::Action action;
      *action.mutable_download_action() = AsDownload(dependency);
      downloads.push_back(MakeStep(action, context, "cached dependency"));
    }
    steps.push_back(MakeParallel(std::move(downloads)));
  }
  if (plan.has_setup()) steps.push_back(MakeStep(plan.setup(), context, "setup"));
  return steps.empty() ? nullptr : MakeSerial(std::move(steps));
}

std::unique_ptr<Step> MakeLongRunning(const v1::DesiredLRPRunInfo& plan, StepContext& context) {
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(MakeStep(plan.action(), context, "action"));
  for (const v1::Sidecar& sidecar : plan.sidecars()) {
    steps.push_back(MakeStep(sidecar.action(), context, "sidecar " + std::to_string(steps.size())));
  }
  const std::string where = plan.sidecars_size() == 0 ? "action" : "action or a sidecar";
  return MakeCodependent(std::move(steps), where, std::chrono::milliseconds(context.launch.grace_ms));
}

std::string UserOf(const v1::Action& action) {
  std::string user;
  ForEachRun(action, [&user](const v1::RunAction& run) {
    if (user.empty()) user = run.user();
  });
  return user;
}

std::vector<v1::File> FilesOf(const v1::DesiredLRPRunInfo& plan) {
  std::vector<v1::File> files(plan.volume_mounted_files().begin(), plan.volume_mounted_files().end());
  const auto add = [&files](const v1::RunAction& run) {
    files.insert(files.end(), run.volume_mounted_files().begin(), run.volume_mounted_files().end());
  };
  ForEachRun(plan.setup(), add);
  ForEachRun(plan.action(), add);
  ForEachRun(plan.monitor(), add);
  for (const v1::Sidecar& sidecar : plan.sidecars()) ForEachRun(sidecar.action(), add);
  return files;
}

Status PrepareRoot(const std::string& root, const std::string& user, const std::vector<v1::File>& files) {
  const Result<Account> owner = FindAccount(user);
  if (!owner) return LackError(owner.error().message);
  if (mkdir(root.c_str(), 0700) != 0 && errno != EEXIST)
    return LackError("cannot make the root: " + std::string(std::strerror(errno)));
  for (const v1::File& file : files) {
    if (const Status written = WriteFile(root, file, *owner); !written) return written;
  }
  if (owner->switches && chown(root.c_str(), owner->uid, owner->gid) != 0)
    return LackError("cannot give away the root");
  return Done{};
}

}  // namespace baton::shim
