#include "tools/cell/abilities.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "tools/cell/health/check_plan.h"
#include "tools/shim/downloads/fetch.h"
#include "tools/shim/steps/plan.h"

namespace baton::cell {
namespace {

bool IsOurUser(const std::string& user) {
  const passwd* entry = getpwnam(user.c_str());
  return user.empty() || (entry != nullptr && entry->pw_uid == geteuid());
}

// By name, by number, with a group behind it ("root:adm", "0:0"); empty is the cell's own, which is asked of root only.
bool IsRoot(const std::string& user) {
  const std::string name = user.substr(0, user.find(':'));
  if (name.empty()) return true;
  std::uint64_t number = 1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size() && (number & 0xffffffffU) == 0) return true;
  for (const std::string& one : {name, user}) {
    const passwd* entry = getpwnam(one.c_str());
    if (entry != nullptr && entry->pw_uid == 0) return true;
  }
  return false;
}

// Goes through an action's tree for the first thing in it that cannot be done.
class Search {
 public:
  // `app_user`: of downloads that name none.
  Search(const Means& means, std::string app_user) : means_(means), app_user_(std::move(app_user)) {}

  // Empty: all of it can.
  std::string In(const v1::Action& action) const {
    if (action.has_upload_action()) return "an upload action";
    if (action.has_run_action()) return As(action.run_action().user());
    if (action.has_download_action()) {
      const std::string found = From(action.download_action().from());
      return found.empty() ? As(DownloadUser(action.download_action().user())) : found;
    }
    if (action.has_timeout_action()) return In(action.timeout_action().action());
    if (action.has_try_action()) return In(action.try_action().action());
    if (action.has_emit_progress_action()) return In(action.emit_progress_action().action());
    if (action.has_serial_action()) return InAny(action.serial_action().actions());
    if (action.has_parallel_action()) return InAny(action.parallel_action().actions());
    return InAny(action.codependent_action().actions());
  }

  std::string In(const v1::CachedDependency& dependency) const {
    const std::string found = From(dependency.from());
    return found.empty() ? As(DownloadUser("")) : found;
  }

 private:
  template <class Actions>
  std::string InAny(const Actions& actions) const {
    for (const v1::Action& part : actions) {
      if (std::string found = In(part); !found.empty()) return found;
    }
    return "";
  }

  std::string As(const std::string& user) const {
    if (means_.users == Users::kOwn && !IsOurUser(user)) return "running as user " + user;
    if (means_.users != Users::kAllButRoot || !IsRoot(user)) return "";
    return user.empty() ? "running without a user: it would be root" : "running as user " + user + ", which is root";
  }

  const std::string& DownloadUser(const std::string& user) const { return user.empty() ? app_user_ : user; }

  std::string From(const std::string& url) const {
    return shim::IsFileUrl(url) && !means_.file_urls ? "a download from a file: URL (it has no --download-dir)" : "";
  }

  const Means& means_;
  std::string app_user_;
};

std::string FirstImpossible(const v1::DesiredLRPRunInfo& run, const Means& means) {
  const Search search(means, shim::UserOf(run.action()));
  std::string what;
  for (const v1::CachedDependency& dependency : run.cached_dependencies()) {
    if (what.empty()) what = search.In(dependency);
  }
  for (const v1::Action* action : {&run.setup(), &run.action(), &run.monitor()}) {
    if (what.empty()) what = search.In(*action);
  }
  for (const v1::Sidecar& sidecar : run.sidecars()) {
    if (what.empty()) what = search.In(sidecar.action());
  }
  return what;
}

bool Offers(const std::vector<std::string>& stacks, const std::string& root_fs) {
  return std::any_of(stacks.begin(), stacks.end(), [&](const std::string& stack) {
    return root_fs == stack || (stack.ends_with(':') && root_fs.starts_with(stack));
  });
}

}  // namespace

Means MeansOf(const CellOptions& options, bool is_root) {
  const Users root = options.allow_root_apps ? Users::kAll : Users::kAllButRoot;
  return {options.stacks, is_root ? root : Users::kOwn, !options.download_dir.empty()};
}

std::vector<std::string> Abilities(bool is_root) {
  std::vector<std::string> abilities{"setup",         "run",          "download", "monitor",
                                     "check.tcp",     "check.http",   "sidecars", "cached_dependencies",
                                     "limits.nofile", "mounted_files", "egress_rules.unenforced", "output"};
  if (is_root) abilities.push_back("user");
  return abilities;
}

std::optional<std::string> CannotEnact(const v2::LRPDefinition& definition, const Means& means,
                                       bool egress_unenforced) {
  const v1::DesiredLRPRunInfo& run = definition.run_info();
  std::string what;
  if (run.egress_rules_size() > 0 && !egress_unenforced) what = "egress rules";
  if (run.volume_mounts_size() > 0) what = "volume mounts";
  if (run.image_layers_size() > 0) what = "image layers";
  if (run.privileged()) what = "privileged";
  if (!Offers(means.stacks, definition.resource().root_fs())) what = "root file system " + definition.resource().root_fs();
  if (const auto port = StrangePort(run); port && what.empty()) {
    what = "a check of port " + std::to_string(*port) + ", which is none of the app's ports";
  }
  if (what.empty()) what = FirstImpossible(run, means);
  if (what.empty()) return std::nullopt;
  return "this cell cannot enact " + what;
}

}  // namespace baton::cell
