#include "tools/cell/abilities.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>

namespace baton {
namespace {

bool IsOurUser(const std::string& user) {
  const passwd* entry = getpwnam(user.c_str());
  return user.empty() || (entry != nullptr && entry->pw_uid == geteuid());
}

// The first thing in an action's tree that cannot be done; empty: none.
std::string Impossible(const v1::Action& action, bool is_root) {
  if (action.has_upload_action()) return "an upload action";
  const std::string user = action.has_run_action()        ? action.run_action().user()
                           : action.has_download_action() ? action.download_action().user()
                                                          : "";
  if (!is_root && !IsOurUser(user)) return "running as user " + user;
  if (action.has_timeout_action()) return Impossible(action.timeout_action().action(), is_root);
  if (action.has_try_action()) return Impossible(action.try_action().action(), is_root);
  if (action.has_emit_progress_action()) return Impossible(action.emit_progress_action().action(), is_root);
  const auto first = [is_root](const auto& actions) {
    for (const v1::Action& part : actions) {
      if (std::string found = Impossible(part, is_root); !found.empty()) return found;
    }
    return std::string();
  };
  if (action.has_serial_action()) return first(action.serial_action().actions());
  if (action.has_parallel_action()) return first(action.parallel_action().actions());
  return first(action.codependent_action().actions());
}

bool Offers(const std::vector<std::string>& stacks, const std::string& root_fs) {
  return std::any_of(stacks.begin(), stacks.end(), [&](const std::string& stack) {
    return root_fs == stack || (stack.ends_with(':') && root_fs.starts_with(stack));
  });
}

}  // namespace

std::vector<std::string> Abilities(bool is_root) {
  std::vector<std::string> abilities{"setup",         "run",          "download", "monitor",
                                     "check.tcp",     "check.http",   "sidecars", "cached_dependencies",
                                     "limits.nofile", "mounted_files", "egress_rules.unenforced", "output"};
  if (is_root) abilities.push_back("user");
  return abilities;
}

std::optional<std::string> CannotEnact(const v2::LRPDefinition& definition, const std::vector<std::string>& stacks,
                                       bool is_root, bool egress_unenforced) {
  const v1::DesiredLRPRunInfo& run = definition.run_info();
  std::string what;
  if (run.egress_rules_size() > 0 && !egress_unenforced) what = "egress rules";
  if (run.volume_mounts_size() > 0) what = "volume mounts";
  if (run.image_layers_size() > 0) what = "image layers";
  if (run.privileged()) what = "privileged";
  if (!Offers(stacks, definition.resource().root_fs())) what = "root file system " + definition.resource().root_fs();
  for (const v1::Action* action : {&run.setup(), &run.action(), &run.monitor()}) {
    if (what.empty()) what = Impossible(*action, is_root);
  }
  for (const v1::Sidecar& sidecar : run.sidecars()) {
    if (what.empty()) what = Impossible(sidecar.action(), is_root);
  }
  if (what.empty()) return std::nullopt;
  return "this cell cannot enact " + what;
}

}  // namespace baton
