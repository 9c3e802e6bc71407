#include "tools/stack/stack.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tools/embedded_postgres/embedded_postgres.h"
#include "tools/stack/free_port.h"
#include "tools/stack/http.h"
#include "tools/stack/leftovers.h"
#include "tools/stack/wait_for.h"

namespace baton::stack {
namespace {

using std::chrono::seconds;

constexpr int kPortsOfACell = 300;
// A new PostgreSQL takes some seconds, many on a machine that is busy. A part that ends instead is noticed at once.
constexpr seconds kPartUpTimeout{90};
// HAProxy lets requests in flight end (10 s), a cell lets its instances (10 s), batond its calls and PostgreSQL.
constexpr seconds kPartDownTimeout{30};
constexpr char kNoSuchHost[] = "nobody.invalid";

std::string Joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ",") + word;
  return all;
}

}  // namespace

std::string OwnDirectory() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

Stack::Stack(StackOptions options)
    : options_(std::move(options)), http_port_(FreePort(options_.http_port)), web_port_(FreePort(options_.web_port)),
      cell_ports_(PortRangeStart(kPortsOfACell * options_.cells)), cells_(static_cast<std::size_t>(options_.cells)) {
  for (int i = 0; i < options_.batonds; ++i) {
    batonds_.push_back({FreePort(i == 0 ? options_.api_port : 0), FreePort(i == 0 ? options_.metrics_port : 0), nullptr});
  }
  if (options_.bin_dir.empty()) options_.bin_dir = OwnDirectory();
  std::filesystem::create_directories(options_.dir);
  if (options_.tls) certificates_ = std::make_unique<StackCertificates>(InDir(options_.batonds > 1 ? "tls" : "pg/tls"));
  api_ = std::make_unique<Api>(api_addresses(), options_.stop, certificates_ ? certificates_->Admin() : nullptr);
}

Stack::~Stack() { Stop(); }

std::unique_ptr<Program> Stack::Run(const std::string& program, const std::string& name,
                                    std::vector<std::string> arguments, std::vector<std::string> environment) {
  arguments.insert(arguments.begin(), program.starts_with('/') ? program : options_.bin_dir + "/" + program);
  return std::make_unique<Program>(Program::Start{name, std::move(arguments), InDir(name + ".log"), std::move(environment)});
}

void Stack::AwaitPart(Program& program, const std::string& what, const std::function<bool()>& holds) {
  const bool up = WaitFor(kPartUpTimeout, options_.stop, [&] {
    if (!program.Running()) throw StackError(program.Describe("ended instead of coming up"));
    return holds();
  });
  if (!up) {
    throw StackError(program.Describe("did not come up: " + what + " within " + std::to_string(kPartUpTimeout.count()) +
                                      " s it was not so"));
  }
}

std::vector<std::string> Stack::api_addresses() const {
  std::vector<std::string> addresses;
  for (const Batond& batond : batonds_) addresses.push_back(Local(batond.api_port));
  return addresses;
}

void Stack::Start() {
  StartBatonds();
  StartCells();
  StartRouter();
}

void Stack::StartCells() {
  for (int number = 1; number <= options_.cells; ++number) StartProgramOfCell(number);
  for (int number = 1; number <= options_.cells; ++number) {
    AwaitPart(*cells_[static_cast<std::size_t>(number - 1)], "it is connected to batond;",
              [&] { return CellIsConnected(number); });
  }
}

void Stack::StartBatonds() {
  database_url_ = options_.database;
  if (database_url_.empty() && batonds_.size() > 1) {
    auto postgres = EmbeddedPostgres::Start({.dir = InDir("pg"),
                                             .settings = options_.postgres_settings,
                                             .environment = options_.postgres_environment});
    if (!postgres) throw StackError("PostgreSQL did not start: " + postgres.error().message);
    postgres_ = *std::move(postgres);
    database_url_ = postgres_->url();
    if (options_.prepare_database) options_.prepare_database(database_url_);
  }
  for (std::size_t i = 0; i < batonds_.size(); ++i) StartBatond(i);
}

void Stack::StartBatond(std::size_t which, const BatondStart& how) {
  LaunchBatond(which, how);
  AwaitPart(*batonds_.at(which).program, "it leads and takes calls, or stands by;",
            [&] { return batonds_.size() > 1 ? api_->Answers(which) && api_->Available() : api_->Available(); });
}

void Stack::LaunchBatond(std::size_t which, const BatondStart& how) {
  const std::string name = batonds_.size() > 1 ? "batond-" + std::to_string(which + 1) : "batond";
  std::vector<std::string> arguments{"--listen", api_address(which), "--metrics", metrics_address(which), "--log-level",
                                     options_.log_level};
  const auto add = [&](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  std::vector<std::string> environment = how.environment;
  if (!certificates_) environment.push_back("BATON_INSECURE=true");  // another program may be older than the option
  if (!database_url_.empty()) {
    const std::string& database = how.database.empty() ? database_url_ : how.database;
    add({"--database", database + " application_name=" + name, "--id", name});
    AddTls(arguments, {Role::kBatond, name});
    if (how.program.empty()) add({"--state", InDir(name + ".state")});
  } else {
    add({"--embedded", InDir("pg")});  // which finds its certificates there
  }
  if (certificates_ && options_.page) add({"--access", AccessFile()});
  add(options_.batond_arguments);
  add(how.arguments);
  environment.insert(environment.end(), options_.batond_environment.begin(), options_.batond_environment.end());
  batonds_.at(which).program =
      Run(how.program.empty() ? "batond" : how.program, name, std::move(arguments), std::move(environment));
}

std::string Stack::AccessFile() const {
  const std::string file = InDir("access");
  std::ofstream(file) << "controller * domains * hostnames *\nrouter *\nweb * most operator\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  return file;
}

void Stack::AddTls(std::vector<std::string>& arguments, const Identity& identity) const {
  if (certificates_) arguments.insert(arguments.end(), {"--tls", certificates_->For(identity)});
}

void Stack::StartProgramOfCell(int number) {
  const int first_port = cell_ports_ + (number - 1) * kPortsOfACell;
  const std::string name = CellName(number);
  const std::string ports = std::to_string(first_port) + "-" + std::to_string(first_port + kPortsOfACell - 1);
  std::vector<std::string> arguments{"run",
                                     "--id",
                                     name,
                                     "--dir",
                                     InDir(name),
                                     "--batond",
                                     Joined(api_addresses()),
                                     "--zone",
                                     "z" + std::to_string(number),
                                     "--ports",
                                     ports,
                                     "--cgroup",
                                     "none",
                                     "--stop-instances-on-exit",
                                     "--allow-root-apps",  // one's own apps, wherever ./dev is root
                                     "--download-allow",   // and one's own servers that they come from
                                     "127.0.0.0/8",
                                     "--log-level",
                                     options_.log_level};
  if (options_.own_addresses) arguments.insert(arguments.end(), {"--address", CellAddress(number)});
  AddTls(arguments, {Role::kCell, name});
  arguments.insert(arguments.end(), options_.cell_arguments.begin(), options_.cell_arguments.end());
  std::vector<std::string> environment;
  if (!certificates_) environment.push_back("BATON_CELL_INSECURE_ROOT=true");  // of who tries it out
  cells_.at(static_cast<std::size_t>(number - 1)) = Run("baton-cell", name, std::move(arguments), std::move(environment));
}

void Stack::StartCell(int number) {
  StartProgramOfCell(number);
  AwaitPart(*cells_.at(static_cast<std::size_t>(number - 1)), "it is connected to batond;",
            [&] { return CellIsConnected(number); });
}

bool Stack::CellIsConnected(int number) {
  const std::vector<v2::Cell> cells = api_->Cells();
  return std::ranges::any_of(cells, [&](const v2::Cell& cell) {
    return cell.cell_id() == CellName(number) && cell.connected() && cell.state() == "PRESENT";
  });
}

void Stack::StartRouter() {
  std::vector<std::string> arguments{"run",      "--spawn",      "--dir",    InDir("router"),
                                     "--listen", http_address(), "--batond", Joined(api_addresses())};
  AddTls(arguments, {Role::kRouter, "router-1"});
  arguments.insert(arguments.end(), options_.router_arguments.begin(), options_.router_arguments.end());
  router_ = Run("baton-router", "router", std::move(arguments));
  AwaitPart(*router_, "HAProxy answers on " + http_address() + ";",
            [&] { return HttpGet(http_address(), kNoSuchHost).status != 0; });
}

void Stack::StartWeb() {
  std::vector<std::string> arguments{
      "run", "--listen", web_address(), "--batond", Joined(api_addresses()), "--loopback-role", "operator"};
  AddTls(arguments, {Role::kWeb, "web-1"});
  arguments.insert(arguments.end(), options_.web_arguments.begin(), options_.web_arguments.end());
  web_ = Run("baton-web", "web", std::move(arguments));
  AwaitPart(*web_, "it answers on " + web_address() + ";",
            [&] { return HttpGet(web_address(), web_address()).status == 200; });
}

void Stack::KillMachine(int number) {
  KillCell(number);  // first: it would start them again
  EndInstances(InDir(CellName(number)));
}

void Stack::KillPostgres() { KillPostgresProcesses(InDir("pg")); }

void Stack::SignalPostgres(int signal) { SignalPostgresProcesses(InDir("pg"), signal); }

void Stack::EndPrograms() {
  const auto end = [](const std::vector<Program*>& programs) {
    for (Program* program : programs) program->Signal(SIGTERM);
    for (Program* program : programs) {
      if (!program->WaitForEnd(kPartDownTimeout)) program->Kill();
    }
  };
  if (web_) end({web_.get()});
  if (router_) end({router_.get()});
  std::vector<Program*> cells;
  for (const auto& cell : cells_) {
    if (cell) cells.push_back(cell.get());
  }
  end(cells);
  // A client without a call under way does not read that the server wants to go, which would then wait for it.
  api_.reset();
  std::vector<Program*> batonds;
  for (const Batond& batond : batonds_) {
    if (batond.program) batonds.push_back(batond.program.get());
  }
  for (Program* batond : batonds) batond->Signal(SIGCONT);  // one that a test has stopped
  end(batonds);
}

void Stack::EndLeftovers() {
  const auto ended_in_order = [](const std::unique_ptr<Program>& program) { return program->exit_status() == 0; };
  if (router_ && !ended_in_order(router_)) EndHaproxy(InDir("router"));
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i] && !ended_in_order(cells_[i])) EndInstances(InDir(CellName(static_cast<int>(i) + 1)));
  }
  if (database_url_.empty() && batonds_[0].program && !ended_in_order(batonds_[0].program)) EndPostgres(InDir("pg"));
  if (postgres_) {
    const Status stopped = postgres_->Stop();
    if (!stopped) std::fprintf(stderr, "PostgreSQL was not stopped: %s\n", stopped.error().message.c_str());
  }
}

void Stack::Stop() noexcept try {
  EndPrograms();
  EndLeftovers();
  web_.reset();
  router_.reset();
  for (auto& cell : cells_) cell.reset();
  for (Batond& batond : batonds_) batond.program.reset();
  postgres_.reset();
} catch (const std::exception& error) {
  std::fprintf(stderr, "the stack could not be stopped in order: %s\n", error.what());
}

}  // namespace baton::stack
