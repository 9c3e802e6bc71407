// PostgreSQL as deploy/ha has it: two machines with Patroni, and etcd on this one, over TLS with certificates of
// `baton certs`. The files of deploy/ha are used as they are; what differs from machine to machine is environment.
#pragma once

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/ha/machines.h"
#include "tools/stack/program.h"

namespace baton {

class PatroniPair {
 public:
  // All of it is in `dir`, which others can enter. `bin_dir`: where `baton` is.
  PatroniPair(std::string dir, const std::string& bin_dir, const Machines& machines);
  ~PatroniPair();
  PatroniPair(const PatroniPair&) = delete;
  PatroniPair& operator=(const PatroniPair&) = delete;

  void Start();
  // What `--database` takes: both machines, and the empty database of batond's role.
  std::string url() const;

  // Which of the machines Patroni calls the primary, while it runs there.
  std::optional<int> Primary() const;
  // And the other one follows it, and is waited for by each commit.
  bool Whole() const;
  // As an operator asks for it; ends the test where Patroni refuses.
  void SwitchOver() const;

  void StartEtcd();
  void KillEtcd() { etcd_->Kill(); }
  // Patroni and PostgreSQL, kill -9, as when its machine loses power.
  void KillMachine(int machine);
  void StartMachine(int machine);
  // PostgreSQL alone; Patroni goes on.
  void KillPostgres(int machine) const;

 private:
  static std::string Name(int machine) { return "db" + std::to_string(machine + 1); }
  std::string DirOf(int machine) const { return dir_ + "/" + Name(machine); }
  std::vector<std::string> Environment(int machine) const;
  std::string Ctl(std::vector<std::string> arguments) const;
  nlohmann::json Members() const;
  void IssueCertificates(const std::string& baton) const;
  void MakeDatabase() const;

  const std::string dir_;
  const Machines& machines_;
  const int etcd_port_;
  const int etcd_peer_port_;
  std::array<int, 2> postgres_ports_;
  int patroni_port_;
  std::unique_ptr<stack::Program> etcd_;
  std::array<std::unique_ptr<stack::Program>, 2> patroni_;
};

}  // namespace baton
