// The whole of Baton on this machine: batond with an embedded PostgreSQL, cells, and a router with its HAProxy.
//
//   DIR/pg            PostgreSQL          DIR/cell-1 ...   a cell's instances
//   DIR/router        HAProxy's files     DIR/*.log        what each program wrote
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/stack/api.h"
#include "tools/stack/certificates.h"
#include "tools/stack/program.h"
#include "tools/stack/stack_options.h"

namespace baton {
class EmbeddedPostgres;
}

namespace baton::stack {

class Stack {
 public:
  // Starts nothing yet. Throws StackError where there are no free ports.
  explicit Stack(StackOptions options);
  // Stops what still runs.
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  // All of these throw StackError, which names the part that failed and shows the end of its log, and Interrupted.
  // They are to be called by one thread, which outlives the stack (see Program).
  void Start();
  // Part by part; each returns when the part does its work: batond leads, the cell is connected, HAProxy answers.
  void StartBatond(std::size_t which = 0, const BatondStart& how = {});  // from 0 on
  // The same, without waiting for anything.
  void LaunchBatond(std::size_t which, const BatondStart& how = {});
  void StartBatonds();
  void StartCells();
  void StartCell(int number);  // from 1 on
  void StartRouter();
  // The page, which none of the others needs: everybody on this machine is operator there.
  void StartWeb();

  // kill -9. What the part leaves running on purpose goes on.
  void KillBatond(std::size_t which = 0) { batonds_.at(which).program->Kill(); }
  void KillCell(int number) { cells_.at(static_cast<std::size_t>(number - 1))->Kill(); }
  void KillRouter() { router_->Kill(); }
  void KillWeb() { web_->Kill(); }
  // The cell with all of its instances, as when its machine loses power.
  void KillMachine(int number);
  // To all of PostgreSQL's processes: SIGSTOP, SIGCONT.
  void SignalPostgres(int signal);
  // kill -9 of all of PostgreSQL's processes.
  void KillPostgres();

  // Ends everything in order: the router, the cells with their instances, batond with its PostgreSQL; what did not end
  // by itself is killed. Also when parts of it are down. Does not throw.
  void Stop() noexcept;

  // Until Stop.
  Api& api() { return *api_; }
  std::string api_address(std::size_t which = 0) const { return Local(batonds_.at(which).api_port); }
  std::vector<std::string> api_addresses() const;
  std::string metrics_address(std::size_t which = 0) const { return Local(batonds_.at(which).metrics_port); }
  // Of the PostgreSQL under several batonds, from their start on.
  const std::string& database_url() const { return database_url_; }
  // With StackOptions.tls; else null.
  StackCertificates* certificates() { return certificates_.get(); }
  std::string http_address() const { return Local(http_port_); }
  // Of StartWeb.
  std::string web_address() const { return Local(web_port_); }
  const std::string& dir() const { return options_.dir; }
  const std::string& bin_dir() const { return options_.bin_dir; }
  std::string CellName(int number) const { return "cell-" + std::to_string(number); }
  // With StackOptions.own_addresses.
  static std::string CellAddress(int number) { return "127.0.0." + std::to_string(number + 1); }
  pid_t batond_pid(std::size_t which = 0) const { return batonds_.at(which).program->pid(); }
  Program& batond(std::size_t which) { return *batonds_.at(which).program; }
  pid_t router_pid() const { return router_->pid(); }
  pid_t cell_pid(int number) const { return cells_.at(static_cast<std::size_t>(number - 1))->pid(); }

 private:
  static std::string Local(int port) { return "127.0.0.1:" + std::to_string(port); }
  std::string InDir(const std::string& name) const { return options_.dir + "/" + name; }
  std::string AccessFile() const;
  std::unique_ptr<Program> Run(const std::string& program, const std::string& name, std::vector<std::string> arguments,
                               std::vector<std::string> environment = {});
  // --tls for the part, where there are certificates.
  void AddTls(std::vector<std::string>& arguments, const Identity& identity) const;
  void StartProgramOfCell(int number);
  // Throws when the program ends before, or the time is over.
  void AwaitPart(Program& program, const std::string& what, const std::function<bool()>& holds);
  bool CellIsConnected(int number);
  void EndPrograms();
  void EndLeftovers();

  StackOptions options_;
  struct Batond {
    int api_port = 0;
    int metrics_port = 0;
    std::unique_ptr<Program> program;
  };
  std::vector<Batond> batonds_;
  int http_port_;
  int web_port_;
  int cell_ports_;
  std::unique_ptr<StackCertificates> certificates_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<EmbeddedPostgres> postgres_;  // under several batonds
  std::string database_url_;
  std::vector<std::unique_ptr<Program>> cells_;
  std::unique_ptr<Program> router_;
  std::unique_ptr<Program> web_;
};

// The directory of the running program.
std::string OwnDirectory();

}  // namespace baton::stack
