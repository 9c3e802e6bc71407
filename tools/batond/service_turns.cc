// What Service does after each turn of the election, on its thread.
#include "tools/batond/service.h"

namespace baton::batond {
namespace {

constexpr auto kKeysLook = std::chrono::seconds(5);  // of a standby, at the keys that the database needs

}  // namespace

void Service::Looked(const std::optional<LeaseView>& leader, const Status& may_stand) {
  if (!may_stand && may_stand.error().kind != ErrorKind::kUnavailable) {
    if (!serving_.Tell(ServingEvent::kMayNotServe, may_stand.error().message)) serving_.Say(may_stand.error().message);
  } else if (leader && leader->running) {
    if (std::chrono::steady_clock::now() >= next_keys_look_) {
      (void)MayStand();
      next_keys_look_ = std::chrono::steady_clock::now() + kKeysLook;
    }
    serving_.Tell(ServingEvent::kAnotherLeads);
    serving_.Say(keys_trouble_);
  } else {
    const std::string why = may_stand ? "" : may_stand.error().message;
    if (!serving_.Tell(ServingEvent::kNobodyKnown, why)) serving_.Say(why);
  }
}

void Service::SayState() {
  const std::string why = serving_.text();
  manager_.Say(std::string(Name(serving_.state())) + (why.empty() ? "" : ": " + why));
}

// After each turn of the election, on its thread: one that is stuck, with whatever it waits for, is replaced by
// systemd.
void Service::Alive() {
  SayState();
  manager_.PetWatchdog();
}

}  // namespace baton::batond
