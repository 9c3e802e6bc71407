// What most of the bench measures: the shipped batond as a program of its own, on a PostgreSQL of its own that is as
// durable as in earnest, and, where they are wanted, simulated cells in a third one. The load comes from this process.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sql/session/session.h"
#include "tests/bench/durable_postgres.h"
#include "tests/bench/figure.h"
#include "tests/bench/profile.h"
#include "tests/bench/write_meter.h"
#include "tools/stack/api.h"
#include "tools/stack/program.h"
#include "tools/stack/state_dir.h"

namespace baton::bench {

class Rig {
 public:
  // Of all rigs: another batond than the one beside this program; empty: that one.
  static void SetBatond(std::string program);

  // `settings`: more of postgresql.conf, "NAME=VALUE".
  explicit Rig(std::vector<std::string> settings = {});
  ~Rig();
  // Its database is there; batond is not, until it is started.
  DurablePostgres& postgres() { return postgres_; }
  // Returns when it leads and takes calls; milliseconds from exec on.
  // `environment`: what another batond may not know as an argument yet, "BATON_NAME=VALUE".
  double StartBatond(const std::vector<std::string>& arguments = {}, std::vector<std::string> environment = {});
  // Milliseconds from SIGTERM to its end.
  double StopBatond();
  // Simulated cells, none of which ever is full; returns when all are connected. A negative start: they claim nothing.
  void StartCells(int count, int start_ms, int drain_ms = 0);
  void StopCells() { cells_.reset(); }

  const std::string& address() const { return address_; }
  std::shared_ptr<grpc::Channel> channel() { return channel_; }
  stack::Api& api() { return *api_; }
  std::string metrics() const;  // what Prometheus would read
  pid_t batond_pid() const { return batond_->pid(); }
  const std::optional<pid_t>& postgres_pid() const {
    return postgres_pid_;
  }  // nothing: its CPU cannot be counted from here
  bool has_cells() const { return cells_ != nullptr; }
  pid_t cells_pid() const { return cells_->pid(); }
  std::string Path(const std::string& name) const { return dir_.path() + "/" + name; }

  // Waits, looking at the database; fails the run where it does not come true.
  void AwaitSql(const std::string& condition, std::chrono::seconds timeout = std::chrono::seconds(300));
  // Waits until batond and PostgreSQL have done what they began by themselves: sweeps after a start, autovacuum.
  void AwaitQuiet();
  std::int64_t Number(const std::string& query);

 private:
  void Await(const std::function<bool()>& condition);  // of a batond that begins

  DurablePostgres postgres_;
  const std::optional<pid_t> postgres_pid_ = postgres_.pid();
  stack::StateDir dir_;
  std::string address_;
  std::string metrics_address_;
  std::unique_ptr<stack::Program> batond_;
  std::unique_ptr<stack::Program> cells_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<stack::Api> api_;
  std::unique_ptr<Session> session_;
};

// CPU of everybody, from its making on; batond's peak of memory, too.
class Usage {
 public:
  // `row`: what is measured, where it is to be profiled if profiles are wanted.
  explicit Usage(Rig& rig, const std::string& row = {});
  // What an operation took of it, where `operations` were made since.
  void Put(Figure& figure, std::int64_t operations) const;
  double wall_seconds() const;
  double service_seconds() const;
  double postgres_seconds() const;  // 0 where it cannot be counted

 private:
  Rig& rig_;
  double service_;
  double postgres_;
  double cells_;
  double own_;
  std::chrono::steady_clock::time_point wall_;
  WriteMeter writes_;
  Profile profile_;
};

}  // namespace baton::bench
