// systemd's manager as far as scopes go, on a bus of its own: dbus-daemon is real, and so is what is sent.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tests/tools/shim/scratch_dir.h"
#include "tools/system/spawn.h"

struct sd_bus;

namespace baton::cell {

class MockSystemd {
 public:
  // How the job of each start ends, as systemd says it; "": it is refused at once.
  explicit MockSystemd(std::string job_result = "done");
  ~MockSystemd();

  // As cgroup v2 would be mounted: a directory with controllers, in which scopes are made.
  std::string mounted() const { return scratch_ / "cgroup"; }
  struct Started {
    std::string name, mode, slice;
    bool delegate = false;
    std::uint32_t pid = 0;
  };
  // To be read when nobody asks.
  const std::vector<Started>& started() const { return started_; }
  // A scope of that name is there from before.
  void Has(const std::string& scope);
  std::string GroupOf(const std::string& scope) const { return "/baton.slice/" + scope; }

 private:
  friend struct MockCalls;
  void Serve(const std::stop_token& stop);

  testing::ScratchDir scratch_;
  std::string job_result_;
  std::vector<Started> started_;
  std::vector<std::string> scopes_;
  std::optional<Process> daemon_;
  sd_bus* bus_ = nullptr;
  std::jthread thread_;
};

}  // namespace baton::cell
