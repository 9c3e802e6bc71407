#include "orchestrator/wire/messages/actions.h"

#include <functional>
#include <set>

#include "orchestrator/wire/limits/limits.h"

namespace baton::wire {
namespace {

struct Inner {
  std::string name;
  const v1::Action* action;
};

// The actions right below this one. `leaf` is set for one that has none.
std::vector<Inner> Below(const v1::Action& a, bool& leaf) {
  std::vector<Inner> inner;
  const auto one = [&](const char* name, bool is_set, const auto& wrapper) {
    if (is_set) inner.push_back({std::string(name) + ".action", &wrapper.action()});
  };
  const auto many = [&](const char* name, bool is_set, const auto& wrapper) {
    if (!is_set) return;
    for (int i = 0; i < wrapper.actions_size(); ++i) {
      inner.push_back({std::string(name) + ".actions[" + std::to_string(i) + "]", &wrapper.actions(i)});
    }
  };
  leaf = a.has_run_action() || a.has_download_action() || a.has_upload_action();
  one("timeout_action", a.has_timeout_action(), a.timeout_action());
  one("emit_progress_action", a.has_emit_progress_action(), a.emit_progress_action());
  one("try_action", a.has_try_action(), a.try_action());
  many("parallel_action", a.has_parallel_action(), a.parallel_action());
  many("serial_action", a.has_serial_action(), a.serial_action());
  many("codependent_action", a.has_codependent_action(), a.codependent_action());
  return inner;
}

Status CheckLeaf(const v1::Action& a, const std::string& where) {
  if (a.has_run_action() && a.run_action().path().empty()) return InvalidArgument(where + ".run_action.path is empty");
  if (a.has_download_action() && a.download_action().from().empty()) {
    return InvalidArgument(where + ".download_action.from is empty");
  }
  if (a.has_download_action() && a.download_action().to().empty())
    return InvalidArgument(where + ".download_action.to is empty");
  if (a.has_upload_action())
    return InvalidArgument(where + ".upload_action is not supported: an instance has nothing to upload");
  return Done{};
}

Status CheckAction(const v1::Action& a, const std::string& where, int depth, int& nodes) {
  if (depth > kActionDepthMax) {
    return InvalidArgument(where + " is nested deeper than " + std::to_string(kActionDepthMax) + " actions");
  }
  if (++nodes > kActionNodesMax) {
    return InvalidArgument("the actions of definition.run_info are more than " + std::to_string(kActionNodesMax));
  }
  bool leaf = false;
  const auto inner = Below(a, leaf);
  if (leaf) return CheckLeaf(a, where);
  if (inner.empty()) return InvalidArgument(where + " is empty: it does nothing");
  for (const Inner& below : inner) {
    if (Status s = CheckAction(*below.action, where + "." + below.name, depth + 1, nodes); !s) return s;
  }
  return Done{};
}

void Walk(const v1::Action& a, const std::function<void(const v1::Action&)>& visit) {
  visit(a);
  bool leaf = false;
  for (const Inner& below : Below(a, leaf)) Walk(*below.action, visit);
}

void AddActionNeeds(const v1::Action& a, std::set<std::string>& needs) {
  Walk(a, [&](const v1::Action& action) {
    if (action.has_run_action()) {
      const v1::RunAction& run = action.run_action();
      needs.insert("run");
      if (!run.user().empty()) needs.insert("user");
      if (run.resource_limits().has_nofile()) needs.insert("limits.nofile");
      if (run.volume_mounted_files_size() > 0) needs.insert("mounted_files");
    }
    if (action.has_download_action()) needs.insert("download");
  });
}

void AddCheckNeeds(const google::protobuf::RepeatedPtrField<v1::Check>& checks, std::set<std::string>& needs) {
  for (const auto& check : checks) {
    if (check.has_tcp_check()) needs.insert("check.tcp");
    if (check.has_http_check()) needs.insert("check.http");
  }
}

}  // namespace

Status CheckActions(const v1::DesiredLRPRunInfo& run) {
  const std::string where = "definition.run_info";
  int nodes = 0;
  if (!run.has_action()) return InvalidArgument(where + ".action is missing: there is nothing to run");
  if (Status s = CheckAction(run.action(), where + ".action", 1, nodes); !s) return s;
  if (run.has_setup()) {
    if (Status s = CheckAction(run.setup(), where + ".setup", 1, nodes); !s) return s;
  }
  if (run.has_monitor()) {
    if (Status s = CheckAction(run.monitor(), where + ".monitor", 1, nodes); !s) return s;
  }
  for (int i = 0; i < run.sidecars_size(); ++i) {
    const std::string sidecar = where + ".sidecars[" + std::to_string(i) + "].action";
    if (Status s = CheckAction(run.sidecars(i).action(), sidecar, 1, nodes); !s) return s;
  }
  return Done{};
}

std::vector<std::string> NeedsOf(const v1::DesiredLRPRunInfo& run) {
  std::set<std::string> needs;
  AddActionNeeds(run.action(), needs);
  if (run.has_setup()) {
    needs.insert("setup");
    AddActionNeeds(run.setup(), needs);
  }
  if (run.has_monitor()) {
    needs.insert("monitor");
    AddActionNeeds(run.monitor(), needs);
  }
  if (run.sidecars_size() > 0) needs.insert("sidecars");
  for (const auto& sidecar : run.sidecars()) AddActionNeeds(sidecar.action(), needs);
  AddCheckNeeds(run.check_definition().checks(), needs);
  AddCheckNeeds(run.check_definition().readiness_checks(), needs);
  if (run.egress_rules_size() > 0) needs.insert("egress_rules");
  if (run.volume_mounts_size() > 0) needs.insert("volume_mounts");
  for (const auto& mount : run.volume_mounts()) needs.insert(std::string(kVolumeDriverNeed) + mount.driver());
  if (run.image_layers_size() > 0) needs.insert("image_layers");
  if (run.cached_dependencies_size() > 0) needs.insert("cached_dependencies");
  if (run.volume_mounted_files_size() > 0) needs.insert("mounted_files");
  if (run.privileged()) needs.insert("privileged");
  return {needs.begin(), needs.end()};
}

std::string BeyondBatonCell(std::string_view need) {
  if (need == "egress_rules") {
    return "baton-cell enforces none: its instances are placed nowhere, unless an operator lets the apps of its domain run "
           "without (baton domain egress)";
  }
  if (need == "volume_mounts" || need == "image_layers" || need == "privileged" || need.starts_with(kVolumeDriverNeed)) {
    return "baton-cell cannot: its instances are placed nowhere, unless a cell of another kind is there";
  }
  return {};
}

}  // namespace baton::wire
