#include "tests/ha/machines.h"

#include <unistd.h>

#include <cstdlib>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

bool Ip(const std::string& words) { return std::system(("/usr/sbin/ip " + words + " 2>/dev/null").c_str()) == 0; }

}  // namespace

Machines::Machines(int count)
    : prefix_("baton-ha-" + std::to_string(getpid()) + "-"), link_("bh-" + std::to_string(getpid())), count_(count) {
  there_ = geteuid() == 0 && Make();
}

Machines::~Machines() { Remove(); }

// A switch between them is a bridge in a namespace of its own: nothing of this machine's own network is changed.
bool Machines::Make() {
  const std::string hub = prefix_ + "hub";
  const std::string in_hub = "-n " + hub + " ";
  if (!(Ip("netns add " + hub) && Ip(in_hub + "link add hub type bridge") && Ip(in_hub + "link set hub up") &&
        Ip("link add " + link_ + " type veth peer name here netns " + hub) &&
        Ip(in_hub + "link set here master hub up") && Ip("addr add " + Here() + "/24 dev " + link_) &&
        Ip("link set " + link_ + " up"))) {
    return false;
  }
  for (int machine = 0; machine < count_; ++machine) {
    const std::string at = "-n " + Name(machine) + " ";
    const std::string port = "port" + std::to_string(machine);
    if (!(Ip("netns add " + Name(machine)) && Ip(at + "link add eth0 type veth peer name " + port + " netns " + hub) &&
          Ip(in_hub + "link set " + port + " master hub up") &&
          Ip(at + "addr add " + Address(machine) + "/24 dev eth0") && Ip(at + "link set eth0 up") &&
          Ip(at + "link set lo up"))) {
      return false;
    }
  }
  return true;
}

void Machines::Remove() const {
  Ip("link del " + link_);
  for (int machine = 0; machine < count_; ++machine) Ip("netns del " + Name(machine));
  Ip("netns del " + prefix_ + "hub");
}

void Machines::Part(int one, int other) const {
  CHECK(Ip("-n " + Name(one) + " route add blackhole " + Address(other) + "/32"));
  CHECK(Ip("-n " + Name(other) + " route add blackhole " + Address(one) + "/32"));
}

void Machines::Join(int one, int other) const {
  CHECK(Ip("-n " + Name(one) + " route del blackhole " + Address(other) + "/32"));
  CHECK(Ip("-n " + Name(other) + " route del blackhole " + Address(one) + "/32"));
}

// At the switch: the machine's own end stays up, so that its programs meet silence and no error.
void Machines::CutOff(int machine) const {
  CHECK(Ip("-n " + prefix_ + "hub link set port" + std::to_string(machine) + " nomaster"));
}

void Machines::Reconnect(int machine) const {
  CHECK(Ip("-n " + prefix_ + "hub link set port" + std::to_string(machine) + " master hub"));
}

}  // namespace baton
