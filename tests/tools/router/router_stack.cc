#include "tests/tools/router/router_stack.h"

#include <sys/stat.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/tools/router/wait_until.h"
#include "tools/router/haproxy/haproxy_master.h"
#include "tools/router/haproxy/haproxy_socket.h"
#include "tools/router/whole_file.h"
#include "tools/stack/free_port.h"

namespace baton::router {
namespace {

std::string MakeDir() {
  std::string name = "/tmp/baton-router-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) std::abort();
  chmod(name.c_str(), 0711);  // HAProxy's workers are another user where we are root
  return name;
}

std::vector<int> Processes(const HaproxyFiles& files) {
  std::vector<int> pids;
  if (const auto view = HaproxyMaster(files.master).Look()) {
    pids = view->old_workers;
    pids.push_back(view->master);
    if (view->worker != 0) pids.push_back(view->worker);
  }
  const auto info = HaproxySocket(files.socket).Run({"show info"});
  if (info && InfoNumber((*info)[0], "Pid") > 0) pids.push_back(static_cast<int>(InfoNumber((*info)[0], "Pid")));
  return pids;
}

}  // namespace

RouterStack::RouterStack() : dir_(MakeDir()), files_(dir_), port_(stack::FreePort()) {}

RouterStack::~RouterStack() {
  if (::testing::Test::HasFailure()) std::cerr << "--- the router's log:\n" << RouterLog() << "---\n";
  KillRouter();
  KillHaproxy();
  std::error_code ignored;
  std::filesystem::remove_all(dir_, ignored);
}

void RouterStack::Start(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {BATON_ROUTER, "run", "--debug", "--batond", routes_.address()});
  Result<Process> started = SpawnInBackground(arguments, dir_ + "/router.log");
  ASSERT_TRUE(started.ok()) << started.error().message;
  router_ = std::move(*started);
}

void RouterStack::Spawn(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{
      "--spawn", "--dir", dir_, "--haproxy", BATON_HAPROXY, "--listen", "127.0.0.1:" + std::to_string(port_)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Start(arguments);
}

void RouterStack::Join(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"--socket", files_.socket, "--map", files_.map};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Start(arguments);
}

void RouterStack::StartHaproxy(std::size_t backends, const std::string& more) {
  const Output config = RouterCommand("config --listen 127.0.0.1:" + std::to_string(port_) + " --dir " + dir_ +
                                      " --backends " + std::to_string(backends) + " " + more);
  ASSERT_EQ(config.status, 0);
  StartHaproxyOf(config.text);
}

void RouterStack::StartHaproxyOf(const std::string& config) {
  ASSERT_TRUE(WriteWholeFile(files_.config, config).ok());
  ASSERT_TRUE(WriteWholeFile(files_.map, "").ok());
  ASSERT_TRUE(WriteWholeFile(files_.flags, "").ok());
  Result<Process> started =
      SpawnInBackground({BATON_HAPROXY, "-W", "-S", files_.master, "-f", files_.config}, files_.log);
  ASSERT_TRUE(started.ok()) << started.error().message;
  haproxy_ = std::move(*started);
  ASSERT_TRUE(WaitUntil([&] { return WorkerPid() > 0 && MasterPid() > 0; }));
}

void RouterStack::KillHaproxy() {
  for (const int pid : Processes(files_)) {
    if (const auto process = Process::Open(pid)) process->Signal(SIGKILL);
  }
  if (!haproxy_) return;
  haproxy_->Signal(SIGKILL);
  haproxy_->WaitForEnd(std::chrono::seconds(30));
  haproxy_.reset();
}

void RouterStack::ReloadHaproxy() { EXPECT_TRUE(HaproxyMaster(files_.master).Reload().ok()); }

void RouterStack::KillRouter() {
  if (!router_) return;
  router_->Signal(SIGKILL);
  router_->WaitForEnd(std::chrono::seconds(30));
  router_.reset();
}

bool RouterStack::StopRouter(std::chrono::milliseconds limit) {
  router_->Signal(SIGTERM);
  return WaitUntil([&] { return !router_->Running(); }, limit);
}

std::string RouterStack::RouterLog() const {
  std::ifstream file(dir_ + "/router.log");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> RouterStack::Ask(const std::vector<std::string>& commands) const {
  const auto answers = HaproxySocket(files_.socket).Run(commands);
  return answers ? *answers : std::vector<std::string>(commands.size(), "(" + answers.error().message + ")");
}

std::optional<HaproxyView> RouterStack::Look() const {
  const Result<HaproxyView> view =
      ParseView(Ask({"show info", "show backend", "show servers state", "show map " + files_.map}));
  return view ? std::optional(*view) : std::nullopt;
}

int RouterStack::WorkerPid() const {
  return static_cast<int>(std::max<std::int64_t>(0, InfoNumber(Ask({"show info"})[0], "Pid")));
}

int RouterStack::MasterPid() const {
  const auto view = HaproxyMaster(files_.master).Look();
  return view ? view->master : 0;
}

RouterStack::Output RouterStack::RouterCommand(const std::string& arguments) const {
  Output output;
  FILE* pipe = popen((std::string(BATON_ROUTER) + " " + arguments).c_str(), "r");
  std::array<char, 4096> chunk;
  while (const std::size_t read = fread(chunk.data(), 1, chunk.size(), pipe)) output.text.append(chunk.data(), read);
  const int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

}  // namespace baton::router
