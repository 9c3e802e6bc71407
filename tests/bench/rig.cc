#include "tests/bench/rig.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "orchestrator/base/check.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/memory_meter.h"
#include "tests/fakes/pg_fixture.h"
#include "tools/client/channel.h"
#include "tools/stack/free_port.h"
#include "tools/stack/http.h"
#include "tools/stack/stack.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

constexpr std::chrono::milliseconds kRigLook{2};
constexpr std::chrono::seconds kUpTimeout{120};

std::string& OtherBatond() {
  static std::string program;
  return program;
}

double PostgresCpu(const Rig& rig) { return rig.postgres_pid() ? CpuSecondsWithChildren(*rig.postgres_pid()) : 0; }

double OwnCpu() { return CpuSecondsOf(getpid()); }

}  // namespace

void Rig::SetBatond(std::string program) { OtherBatond() = std::move(program); }

Rig::Rig(std::vector<std::string> settings)
    : postgres_(std::move(settings)), address_("127.0.0.1:" + std::to_string(stack::FreePort())),
      metrics_address_("127.0.0.1:" + std::to_string(stack::FreePort())) {
  session_ = OpenSession(postgres_.url());
}

Rig::~Rig() {
  cells_.reset();
  if (batond_) StopBatond();
}

void Rig::Await(const std::function<bool()>& condition) {
  const auto began = std::chrono::steady_clock::now();
  while (!condition()) {
    const bool may_come = batond_->Running() && std::chrono::steady_clock::now() - began < kUpTimeout;
    if (!may_come)
      std::fprintf(stderr, "batond does not serve:\n%s\n", stack::LastLines(Path("batond.log"), 10).c_str());
    CHECK(may_come);
    stack::Rest(kRigLook, {});
  }
}

double Rig::StartBatond(const std::vector<std::string>& arguments, std::vector<std::string> environment) {
  std::vector<std::string> command{OtherBatond().empty() ? stack::OwnDirectory() + "/batond" : OtherBatond(),
                                   "--database",
                                   postgres_.url(),
                                   "--listen",
                                   address_,
                                   "--metrics",
                                   metrics_address_,
                                   "--log-level",
                                   "warn",
                                   "--state",
                                   Path("batond.state")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  environment.push_back("BATON_INSECURE=true");  // another batond may be older than the option
  const auto began = std::chrono::steady_clock::now();
  batond_ = std::make_unique<stack::Program>(
      stack::Program::Start{"batond", command, Path("batond.log"), std::move(environment)});
  // Dialled when it listens: a channel that was refused looks again when gRPC pleases, 50 ms later or 5 s.
  Await([&] { return stack::Listens(address_); });
  channel_ = Dial(address_);
  api_ = std::make_unique<stack::Api>(std::vector<std::string>{address_}, std::stop_token());
  Await([&] { return api_->Available(); });
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

double Rig::StopBatond() {
  api_.reset();
  channel_.reset();
  const auto began = std::chrono::steady_clock::now();
  batond_->Signal(SIGTERM);
  if (!batond_->WaitForEnd(std::chrono::seconds(30))) batond_->Kill();
  batond_.reset();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

void Rig::StartCells(int count, int start_ms, int drain_ms) {
  std::filesystem::create_directories(Path("sim"));
  cells_ = std::make_unique<stack::Program>(
      stack::Program::Start{"cells",
                            {stack::OwnDirectory() + "/baton-bench-cells", Path("sim"), std::to_string(count),
                             std::to_string(start_ms), std::to_string(drain_ms), address_},
                            Path("sim.log")});
  CHECK(stack::WaitFor(kUpTimeout, {}, [&] {
    const auto cells = api_->Cells();
    return std::ranges::count_if(cells, [](const v2::Cell& cell) { return cell.connected(); }) == count;
  }));
}

std::string Rig::metrics() const { return stack::HttpGet(metrics_address_, "localhost", "/metrics").body; }

std::int64_t Rig::Number(const std::string& query) {
  std::int64_t number = 0;
  const SessionError error = session_->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SET LOCAL statement_timeout = 0");
    number = s.RunScript(query)[0].Int();
    return true;
  });
  if (!error.ok()) std::fprintf(stderr, "%s\n", error.detail.c_str());
  CHECK(error.ok());
  return number;
}

void Rig::AwaitSql(const std::string& condition, std::chrono::seconds timeout) {
  const bool came = stack::WaitFor(timeout, {}, [&] { return Number("SELECT (" + condition + ")::int") == 1; });
  if (!came)
    std::fprintf(stderr, "never came true: %s\n%s\n", condition.c_str(),
                 stack::LastLines(Path("batond.log"), 10).c_str());
  CHECK(came);
}

void Rig::AwaitQuiet() {
  constexpr double kWindow = 0.5;  // seconds
  constexpr double kQuiet = 0.05;  // of a core
  auto usage = std::make_unique<Usage>(*this);
  CHECK(stack::WaitFor(std::chrono::seconds(120), {}, [&] {
    if (usage->wall_seconds() < kWindow) return false;
    const double busy = (usage->service_seconds() + usage->postgres_seconds()) / usage->wall_seconds();
    usage = std::make_unique<Usage>(*this);
    return busy < kQuiet;
  }));
}

Usage::Usage(Rig& rig, const std::string& row)
    : rig_(rig), service_(CpuSecondsOf(rig.batond_pid())), postgres_(PostgresCpu(rig)),
      cells_(rig.has_cells() ? CpuSecondsOf(rig.cells_pid()) : 0), own_(OwnCpu()),
      wall_(std::chrono::steady_clock::now()), writes_([&rig](const std::string& query) { return rig.Number(query); }),
      profile_(rig.batond_pid(), row) {
  ForgetPeak(rig.batond_pid());
}

double Usage::wall_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
}
double Usage::service_seconds() const { return CpuSecondsOf(rig_.batond_pid()) - service_; }
double Usage::postgres_seconds() const { return PostgresCpu(rig_) - postgres_; }

void Usage::Put(Figure& figure, std::int64_t operations) const {
  const auto each = [&](double cpu) { return cpu * 1000 / static_cast<double>(operations); };
  const double cells = rig_.has_cells() ? CpuSecondsOf(rig_.cells_pid()) - cells_ : 0;
  figure.n = operations;
  figure.cpu_service = each(service_seconds());
  if (rig_.postgres_pid()) figure.cpu_postgres = each(postgres_seconds());
  figure.cpu_client = each(OwnCpu() - own_ + cells);
  figure.rss_mb = PeakMemoryMb(rig_.batond_pid());
  writes_.Put(figure, operations);
}

}  // namespace baton::bench
