// A real baton-cell under a fake leader, for tests.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "baton/v2/definition.pb.h"
#include "tests/tools/cell/fake_leader.h"
#include "tests/tools/shim/scratch_dir.h"
#include "tools/cell/instances/record.h"
#include "tools/shim/instance_dir.h"

namespace baton::testing {

// With run info in protobuf's text form.
v2::LRPDefinition DefinitionOf(const std::string& run_info);
// The action of tests/tools/cell/test_app.cc, as text.
std::string App(const std::string& port_variable = "PORT");
// Run info with this action, as text.
std::string Action(const std::string& action);

// What a report is.
bool IsClaimed(const v2::CellReport& report);
bool IsStarted(const v2::CellReport& report);
bool IsRoutable(const v2::CellReport& report);
bool IsUnroutable(const v2::CellReport& report);
bool IsCrashed(const v2::CellReport& report);
bool IsStopped(const v2::CellReport& report);
bool IsRejected(const v2::CellReport& report);

std::string HttpGet(std::uint32_t port, const std::string& path);

inline constexpr char kNoRootApps[] = "(no root apps)";
inline constexpr char kNoInsecureRoot[] = "(no insecure root)";

class CellRun {
 public:
  // Starts it. Tests run as root, too, without TLS and with apps that are of this user: kNoRootApps and kNoInsecureRoot among
  // `more` are for those that are about that.
  explicit CellRun(const FakeLeader& leader, std::vector<std::string> more = {});
  // Kills the cell and all that it left.
  ~CellRun();

  void Start();
  // To the cell and to its process group.
  void Kill();
  // SIGTERM; gives the exit code.
  int Terminate();
  // Waits until it ends by itself; gives the exit code.
  int WaitForEnd();
  bool alive() const { return pid_ > 0; }

  // The newest start of an instance; waits until there is one.
  cell::FoundInstance Found(const std::string& actual_id) const;
  shim::ShimState ShimOf(const std::string& actual_id) const;
  // Output of `baton-cell` with these arguments and --dir.
  std::string Ask(const std::vector<std::string>& arguments) const;
  std::string log() const;
  const std::string& dir() const { return dir_; }

 private:
  ScratchDir scratch_;
  std::string dir_;
  std::string address_;
  std::vector<std::string> more_;
  pid_t pid_ = 0;
};

}  // namespace baton::testing
