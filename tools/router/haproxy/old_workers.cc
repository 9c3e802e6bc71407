#include "tools/router/haproxy/old_workers.h"

#include "tools/router/haproxy/haproxy_master.h"
#include "tools/router/haproxy/haproxy_socket.h"

namespace baton::router {

Status OldWorkers::Refresh(int present_worker) {
  std::erase_if(mute_, [](const Process& worker) { return !worker.Running(); });
  if (!master_socket_.empty()) return RefreshByMaster(present_worker);
  if (present_ && present_->pid() == present_worker && present_->Running()) return Done{};
  if (present_ && present_->Running()) mute_.push_back(std::move(*present_));
  present_ = Process::Open(present_worker);
  // In another pid namespace the number means no process here, or an unrelated one.
  if (present_ && present_->ProgramName() != "haproxy") present_.reset();
  return Done{};
}

Status OldWorkers::RefreshByMaster(int present_worker) {
  const HaproxyMaster master(master_socket_);
  const Result<MasterView> view = master.Look();
  if (!view) return view.error();
  if (view->worker != present_worker) {
    return Error{ErrorKind::kUnavailable, "the runtime socket and the master's are of different workers"};
  }
  asked_ = view->old_workers;
  for (const int worker : asked_) {
    const Result<bool> stopping = master.IsStopping(worker);
    if (!stopping) return stopping.error();
    if (!*stopping) return Error{ErrorKind::kUnavailable, "the old worker still takes connections"};
  }
  return Done{};
}

void OldWorkers::AddOrphan(Process worker) {
  if (worker.Running()) mute_.push_back(std::move(worker));
}

Status OldWorkers::AddSessions(InstanceSessions& sessions) {
  std::erase_if(mute_, [](const Process& worker) { return !worker.Running(); });
  if (!mute_.empty()) {
    return Error{ErrorKind::kUnavailable,
                 "old worker " + std::to_string(mute_[0].pid()) + " cannot be asked for its sessions, and still runs"};
  }
  for (const int worker : asked_) {
    const auto answers = HaproxySocket(master_socket_, worker).Run({"show stat -1 4 -1", "show servers conn"});
    if (!answers && answers.error().kind == ErrorKind::kNotFound) continue;  // it ended
    if (!answers) return answers.error();
    const Result<ServerSessions> here = ParseSessions(*answers);
    if (!here) return here.error();
    AddByInstance(*here, sessions);
  }
  return Done{};
}

}  // namespace baton::router
