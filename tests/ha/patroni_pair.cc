#include "tests/ha/patroni_pair.h"

#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/fakes/test_cluster.h"
#include "tools/embedded_postgres/command.h"
#include "tools/stack/free_port.h"
#include "tools/stack/leftovers.h"
#include "tools/stack/stack_error.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kUpAndDownMost{120};
constexpr char kConfiguration[] = BATON_SOURCE_DIR "/deploy/ha/patroni.yml";
constexpr char kPassword[] = "of-a-test";
constexpr int kMachines = 2;

std::string Run(const std::vector<std::string>& command, const std::optional<UnixUser>& user = std::nullopt) {
  const auto done = RunCommand(command, user);
  if (!done) throw stack::StackError(done.error().message);
  if (done->exit_status != 0) throw stack::StackError(command.front() + " failed:\n" + done->output);
  return done->output;
}

std::vector<std::string> Joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

PatroniPair::PatroniPair(std::string dir, const std::string& bin_dir, const Machines& machines)
    : dir_(std::move(dir)), machines_(machines), etcd_port_(stack::FreePort()),
      etcd_peer_port_(stack::FreePort()), postgres_ports_{stack::FreePort(), stack::FreePort()},
      patroni_port_(stack::FreePort()) {
  std::filesystem::create_directories(dir_);
  IssueCertificates(bin_dir + "/baton");
  std::ofstream(dir_ + "/passwords") << "*:*:baton:baton:" << kPassword << '\n';
  chmod((dir_ + "/passwords").c_str(), 0600);
}

PatroniPair::~PatroniPair() {
  for (const auto& patroni : patroni_) {
    if (!patroni) continue;
    patroni->Signal(SIGTERM);  // it stops its PostgreSQL
    if (!patroni->WaitForEnd(kUpAndDownMost)) patroni->Kill();
  }
  for (int machine = 0; machine < kMachines; ++machine) KillPostgres(machine);
}

void PatroniPair::IssueCertificates(const std::string& baton) const {
  Run({"/usr/bin/env", "BATON=" + baton, "DB1=" + Machines::Address(0), "DB2=" + Machines::Address(1),
       "ETCD1=" + Machines::Here(), BATON_SOURCE_DIR "/deploy/ha/certificates.sh", dir_ + "/certificates"});
  for (int machine = 0; machine < kMachines; ++machine) {
    std::filesystem::create_directories(DirOf(machine));
    std::filesystem::rename(dir_ + "/certificates/" + Name(machine), DirOf(machine) + "/tls");
    Run({"/bin/chown", "-R", ClusterUser()->name, DirOf(machine)});
  }
}

std::string PatroniPair::url() const {
  const auto [first, second] = postgres_ports_;
  return "host=" + Machines::Address(0) + "," + Machines::Address(1) + " port=" + std::to_string(first) + "," +
         std::to_string(second) + " user=baton dbname=baton sslmode=verify-full sslrootcert=" + dir_ +
         "/certificates/db-authority/ca.pem passfile=" + dir_ + "/passwords";
}

void PatroniPair::StartEtcd() {
  const std::string clients = "https://" + Machines::Here() + ":" + std::to_string(etcd_port_);
  const std::string peers = "https://" + Machines::Here() + ":" + std::to_string(etcd_peer_port_);
  const std::string tls = dir_ + "/certificates/etcd1";
  etcd_ = std::make_unique<stack::Program>(stack::Program::Start{
      "etcd",
      {"/usr/bin/etcd"},
      dir_ + "/etcd.log",
      {"ETCD_NAME=etcd1", "ETCD_DATA_DIR=" + dir_ + "/etcd", "ETCD_LISTEN_CLIENT_URLS=" + clients,
       "ETCD_ADVERTISE_CLIENT_URLS=" + clients, "ETCD_CERT_FILE=" + tls + "/cert.pem",
       "ETCD_KEY_FILE=" + tls + "/key.pem", "ETCD_TRUSTED_CA_FILE=" + tls + "/ca.pem", "ETCD_CLIENT_CERT_AUTH=true",
       "ETCD_LISTEN_PEER_URLS=" + peers, "ETCD_INITIAL_ADVERTISE_PEER_URLS=" + peers,
       "ETCD_PEER_CERT_FILE=" + tls + "/cert.pem", "ETCD_PEER_KEY_FILE=" + tls + "/key.pem",
       "ETCD_PEER_TRUSTED_CA_FILE=" + tls + "/ca.pem", "ETCD_PEER_CLIENT_CERT_AUTH=true",
       "ETCD_INITIAL_CLUSTER=etcd1=" + peers, "ETCD_INITIAL_CLUSTER_STATE=new"}});
}

std::vector<std::string> PatroniPair::Environment(int machine) const {
  const std::string address = Machines::Address(machine);
  const std::string patroni = address + ":" + std::to_string(patroni_port_);
  const std::string postgres = address + ":" + std::to_string(postgres_ports_.at(static_cast<std::size_t>(machine)));
  const std::string tls = DirOf(machine) + "/tls";
  return {"HOME=" + DirOf(machine),
          "PATRONI_NAME=" + Name(machine),
          "PATRONI_ETCD3_HOSTS=" + Machines::Here() + ":" + std::to_string(etcd_port_),
          "PATRONI_ETCD3_CACERT=" + tls + "/ca.pem",
          "PATRONI_ETCD3_CERT=" + tls + "/cert.pem",
          "PATRONI_ETCD3_KEY=" + tls + "/key.pem",
          "PATRONI_RESTAPI_LISTEN=" + patroni,
          "PATRONI_RESTAPI_CONNECT_ADDRESS=" + patroni,
          "PATRONI_RESTAPI_CAFILE=" + tls + "/ca.pem",
          "PATRONI_RESTAPI_CERTFILE=" + tls + "/cert.pem",
          "PATRONI_RESTAPI_KEYFILE=" + tls + "/key.pem",
          "PATRONI_CTL_CACERT=" + tls + "/ca.pem",
          "PATRONI_CTL_CERTFILE=" + tls + "/cert.pem",
          "PATRONI_CTL_KEYFILE=" + tls + "/key.pem",
          "PATRONI_POSTGRESQL_LISTEN=" + postgres,
          "PATRONI_POSTGRESQL_CONNECT_ADDRESS=" + postgres,
          "PATRONI_POSTGRESQL_DATA_DIR=" + DirOf(machine) + "/data",
          "PATRONI_POSTGRESQL_BIN_DIR=/usr/lib/postgresql/15/bin",
          "PATRONI_POSTGRESQL_PGPASS=" + DirOf(machine) + "/pgpass",
          std::string("PATRONI_REPLICATION_PASSWORD=") + kPassword,
          "PATRONI_REPLICATION_SSLROOTCERT=" + tls + "/ca.pem",
          std::string("PATRONI_REWIND_PASSWORD=") + kPassword,
          "PATRONI_REWIND_SSLROOTCERT=" + tls + "/ca.pem",
          std::string("PATRONI_baton_PASSWORD=") + kPassword};
}

void PatroniPair::StartMachine(int machine) {
  const std::string user = ClusterUser()->name;
  patroni_.at(static_cast<std::size_t>(machine)) = std::make_unique<stack::Program>(
      stack::Program::Start{Name(machine),
                            Joined(machines_.On(machine), {"/usr/bin/setpriv", "--reuid", user, "--regid", user,
                                                           "--init-groups", "/usr/bin/patroni", kConfiguration}),
                            dir_ + "/" + Name(machine) + ".log", Environment(machine)});
}

void PatroniPair::Start() {
  StartEtcd();
  for (int machine = 0; machine < kMachines; ++machine) StartMachine(machine);
  if (!stack::WaitFor(kUpAndDownMost, {}, [this] { return Whole(); })) {
    throw stack::StackError(patroni_[0]->Describe("and its standby did not come up"));
  }
  MakeDatabase();
}

// Over the socket, as PostgreSQL's own user.
void PatroniPair::MakeDatabase() const {
  Run({"/usr/bin/psql", "-q", "-h", "/var/run/postgresql", "-p",
       std::to_string(postgres_ports_.at(static_cast<std::size_t>(*Primary()))), "-U", "postgres", "-c",
       "CREATE DATABASE baton OWNER baton"},
      ClusterUser());
}

std::string PatroniPair::Ctl(std::vector<std::string> arguments) const {
  std::vector<std::string> command{"/usr/bin/env"};
  command = Joined(std::move(command), Environment(0));
  command = Joined(std::move(command), {"/usr/bin/patronictl", "-c", kConfiguration});
  return Run(Joined(std::move(command), arguments));
}

// Of each member as patronictl lists it; nothing while etcd does not answer, which it says in words.
nlohmann::json PatroniPair::Members() const {
  auto members = nlohmann::json::parse(Ctl({"list", "-f", "json"}), nullptr, /*allow_exceptions=*/false);
  return members.is_array() ? members : nlohmann::json::array();
}

std::optional<int> PatroniPair::Primary() const {
  for (const auto& member : Members()) {
    if (member.value("Role", "") == "Leader" && member.value("State", "") == "running")
      return member.value("Member", "") == Name(0) ? 0 : 1;
  }
  return std::nullopt;
}

bool PatroniPair::Whole() const {
  int good = 0;
  for (const auto& member : Members()) {
    const std::string role = member.value("Role", "");
    good += member.value("State", "") == "running" && (role == "Leader" || role == "Sync Standby") ? 1 : 0;
  }
  return good == kMachines;
}

void PatroniPair::SwitchOver() const {
  const int primary = *Primary();
  Ctl({"switchover", "--leader", Name(primary), "--candidate", Name(1 - primary), "--force"});
}

void PatroniPair::KillPostgres(int machine) const { stack::KillPostgresProcesses(DirOf(machine)); }

void PatroniPair::KillMachine(int machine) {
  patroni_.at(static_cast<std::size_t>(machine))->Kill();  // first: it would start the other again
  KillPostgres(machine);
}

}  // namespace baton
