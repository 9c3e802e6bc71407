#include "tools/router/haproxy/haproxy_master.h"

#include <charconv>
#include <sstream>

#include "tools/router/haproxy/haproxy_socket.h"
#include "tools/router/haproxy/haproxy_view.h"

namespace baton::router {
namespace {

int FailedReloads(const std::string& line) {
  constexpr std::string_view kMark = "[failed: ";
  const std::size_t at = line.find(kMark);
  if (at == std::string::npos) return 0;
  int count = 0;
  std::from_chars(line.data() + at + kMark.size(), line.data() + line.size(), count);
  return count;
}

}  // namespace

Result<MasterView> ParseProcesses(std::string_view answer) {
  MasterView view;
  bool old = false;
  std::istringstream lines{std::string(answer)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# old workers")) old = true;
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    int pid = 0;
    std::string type;
    if (!(words >> pid >> type) || pid <= 0) continue;  // below zero it would stand for a group
    if (type == "master") {
      view.master = pid;
      view.failed_reloads = FailedReloads(line);
    } else if (type == "worker" && old) {
      view.old_workers.push_back(pid);
    } else if (type == "worker") {
      view.worker = pid;
    }
  }
  if (view.master == 0) {
    return Error{ErrorKind::kInternal,
                 "cannot read HAProxy's answer to show proc: " + std::string(answer.substr(0, 200))};
  }
  return view;
}

Result<MasterView> HaproxyMaster::Look() const {
  const auto answers = HaproxySocket(socket_).Run({"show proc"});
  if (!answers) return answers.error();
  return ParseProcesses((*answers)[0]);
}

Status HaproxyMaster::Reload() const {
  const auto answers = HaproxySocket(socket_).Run({"reload"});
  // It restarts instead of answering; a complete answer would be a refusal.
  if (answers && !(*answers)[0].empty()) return Error{ErrorKind::kInternal, "reload: " + (*answers)[0]};
  return Done{};
}

Result<bool> HaproxyMaster::IsStopping(int worker) const {
  const auto answers = HaproxySocket(socket_, worker).Run({"show info"});
  if (!answers) {
    if (answers.error().kind == ErrorKind::kNotFound) return true;
    return answers.error();
  }
  return InfoNumber((*answers)[0], "Stopping") == 1;
}

}  // namespace baton::router
