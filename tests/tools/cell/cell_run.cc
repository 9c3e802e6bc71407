#include "tests/tools/cell/cell_run.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <google/protobuf/text_format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "tests/tools/shim/shim_run.h"
#include "tests/tools/shim/wait.h"
#include "tools/shim/atomic_file.h"
#include "tools/shim/steps/child_spec.h"
#include "tools/stack/free_port.h"

namespace baton::testing {
namespace {

std::size_t Append(const char* bytes, std::size_t size, std::size_t count, void* text) {
  static_cast<std::string*>(text)->append(bytes, size * count);
  return size * count;
}

// The same after a restart, and no other program's.
const std::string& OwnPorts() {
  static const int first = stack::PortRangeStart(501);
  static const std::string ports = std::to_string(first) + "-" + std::to_string(first + 500);
  return ports;
}

}  // namespace

v2::LRPDefinition DefinitionOf(const std::string& run_info) {
  v2::LRPDefinition definition;
  *definition.mutable_run_info() = PlanOf(run_info);
  return definition;
}

std::string App(const std::string& port_variable) {
  return "run_action { path: '" BATON_TEST_APP "' args: '" + port_variable + "' }";
}
std::string Action(const std::string& action) { return "action { " + action + " } "; }

bool IsClaimed(const v2::CellReport& report) { return report.has_claimed(); }
bool IsStarted(const v2::CellReport& report) { return report.has_started(); }
bool IsRoutable(const v2::CellReport& report) { return report.has_started() && report.started().routable(); }
bool IsUnroutable(const v2::CellReport& report) { return report.has_started() && !report.started().routable(); }
bool IsCrashed(const v2::CellReport& report) { return report.has_crashed(); }
bool IsStopped(const v2::CellReport& report) { return report.has_stopped(); }
bool IsRejected(const v2::CellReport& report) { return report.has_rejected(); }

std::string HttpGet(std::uint32_t port, const std::string& path) {
  CURL* easy = curl_easy_init();
  std::string body;
  curl_easy_setopt(easy, CURLOPT_URL, ("http://127.0.0.1:" + std::to_string(port) + path).c_str());
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, Append);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 5000L);
  const CURLcode code = curl_easy_perform(easy);
  curl_easy_cleanup(easy);
  return code == CURLE_OK ? body : "(no answer)";
}

CellRun::CellRun(const FakeLeader& leader, std::vector<std::string> more)
    : dir_(scratch_ / "cell"), address_(leader.address()), more_(std::move(more)) {
  Start();
}

CellRun::~CellRun() {
  Kill();
  for (const cell::FoundInstance& found : cell::FindInstances(dir_)) {
    if (const auto state = shim::ReadState(found.dir); state && shim::Lives(state->shim))
      kill(state->shim.pid, SIGKILL);
    WaitUntil([&] { return !shim::IsLocked(found.dir.Lock()); });
    for (const pid_t pid : ProcessesOf(found.record.instance_guid)) kill(pid, SIGKILL);
  }
}

void CellRun::Start() {
  std::vector<std::string> arguments{BATON_CELL, "run",    "--id", "cell-1",  "--dir",       dir_,          "--batond",
                                     address_,   "--zone", "z1",   "--memory-mb", "1000"};
  if (std::ranges::find(more_, "--ports") == more_.end()) arguments.insert(arguments.end(), {"--ports", OwnPorts()});
  for (const std::string& argument : more_) {
    if (argument != kNoRootApps && argument != kNoInsecureRoot) arguments.push_back(argument);
  }
  if (std::ranges::find(more_, kNoRootApps) == more_.end()) arguments.push_back("--allow-root-apps");
  if (std::ranges::find(more_, kNoInsecureRoot) == more_.end()) arguments.push_back("--insecure-root");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_ = fork();
  CHECK(pid_ >= 0);
  if (pid_ > 0) return;
  setpgid(0, 0);
  const int log = open((scratch_ / "cell.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(log, 2);
  execv(pointers[0], pointers.data());
  _exit(127);
}

void CellRun::Kill() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

int CellRun::Terminate() {
  kill(pid_, SIGTERM);
  return WaitForEnd();
}

int CellRun::WaitForEnd() {
  int status = 0;
  const bool ended = WaitUntil([&] { return waitpid(pid_, &status, WNOHANG) == pid_; });
  if (!ended) return -1;
  pid_ = 0;
  return shim::ExitStatus(status);
}

cell::FoundInstance CellRun::Found(const std::string& actual_id) const {
  cell::FoundInstance newest;
  WaitUntil([&] {
    for (const cell::FoundInstance& found : cell::FindInstances(dir_)) {
      if (found.record.order.actual_id == actual_id) newest = found;
    }
    return !newest.dir.path.empty();
  });
  return newest;
}

shim::ShimState CellRun::ShimOf(const std::string& actual_id) const {
  return shim::ReadState(Found(actual_id).dir).value_or(shim::ShimState{});
}

std::string CellRun::Ask(const std::vector<std::string>& arguments) const {
  std::string command = std::string(BATON_CELL) + " " + arguments[0] + " --dir " + dir_;
  for (std::size_t i = 1; i < arguments.size(); ++i) command += " " + arguments[i];
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char piece[4096];
  while (const std::size_t count = fread(piece, 1, sizeof piece, pipe)) output.append(piece, count);
  pclose(pipe);
  return output;
}

std::string CellRun::log() const { return shim::ReadWholeFile(scratch_ / "cell.log").value_or(""); }

}  // namespace baton::testing
