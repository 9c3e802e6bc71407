// The context that every command gets.
#pragma once

#include <google/protobuf/message.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tools/baton/api.h"
#include "tools/baton/io.h"
#include "tools/contexts/contexts.h"

namespace baton::cli {

enum class Output { kTable, kWide, kJson, kYaml };

// The command line, parsed. What does not belong to the command is as it is here.
struct Arguments {
  std::vector<std::string> batond;
  std::string tls;      // directory
  std::string context_name;
  std::optional<Context> context;  // what of it the command line does not say counts
  std::string timeout;  // as it was given
  std::int64_t timeout_ms = 10'000;  // for one call
  double reconnect_s = 300;
  std::string actor;
  Output output = Output::kTable;
  bool no_colour = false;
  // apply
  std::vector<std::string> files;
  std::vector<std::string> settings;
  bool dry_run = false;
  bool retry = false;
  bool accept_unroutable = false;
  std::vector<std::string> port_aliases;
  std::string plan_token;
  // apply, scale, delete, retire, cell drain and admin rebalance
  bool wait = false;
  // With wait or watch: for the whole command; 0: as long as it takes
  std::int64_t wait_ms = 0;
  // get and describe
  std::string kind;
  std::string name;
  std::string domain;
  std::string app;
  bool all = false;
  // rollout, scale and delete: the app
  std::string guid;
  bool watch = false;
  std::string definition;
  std::string reason;
  bool steps = false;
  int instances = -1;
  // logs
  int index = 0;
  int tail = 100;
  bool raw = false;
  // events and logs
  bool follow = false;
  std::int64_t after = -1;
  std::string cell;
  std::vector<std::string> kinds;
  // admin convergence
  bool run = false;
  // admin api-usage
  std::string api_version;
  int idle_days = 0;
  // admin audit
  std::string audit_actor;
  std::int64_t since_ms = 0;  // 0: all that is kept
  int audit_max = 100;        // 0: all
  // admin keys status
  bool count = false;
  // admin begin-upgrade
  std::string target;
  int shards = 0;
  bool keep_old_in_sync = false;
  // admin rebalance: instances at most
  int most = 10;
  // admin adopt
  std::string from;
  std::string into;
  std::string source_keys;
  std::string report;
  bool drop_source = false;
  bool yes = false;  // and admin rebalance
  // admin check-database
  std::string database;
  std::string database_role;  // empty: who --database connects as
  // domain
  std::int64_t ttl_s = 0;
  std::string unenforced_egress;  // "refuse", "warn" or "default"; empty: it is to be listed
  // context add
  std::string ca_file;
  std::string cert_file;
  std::string key_file;
  // certs and context add
  std::string trust_domain;
  std::string role;
  std::vector<std::string> ip_addresses;
  std::vector<std::string> dns_names;
  std::vector<std::string> also_trust;  // files
  std::string authority;                // directory
  std::string out;                      // directory
  std::string path;
  int days = 0;  // 0: the usual
  // get definitions
  bool why = false;
  std::string shell;
};

struct Session {
  const Arguments& arguments;
  Api& api;
  Io& io;
};

// One for each command; they give the exit status (outcome.h) and throw Failure.
int Apply(Session& session);
int Get(Session& session);
int DescribeOne(Session& session);
int RolloutExplain(Session& session);
int ExplainOne(Session& session);
int Plan(Session& session);
int Logs(Session& session);
int Retire(Session& session);
int CellDrain(Session& session);
int CellUndrain(Session& session);
int CellGet(Session& session);
int CellDescribe(Session& session);
int RouterGet(Session& session);
int RouterRemove(Session& session);
int Events(Session& session);
// JSON or YAML is asked for: what is for people goes elsewhere.
bool ForPrograms(const Session& session);
// As JSON or YAML, where that is asked for; true: done.
bool PrintedMessage(Session& session, const google::protobuf::Message& message);

int Convergence(Session& session);
int AdminAdopt(Session& session);
int AdminCheckDatabase(Session& session);
int AdminVersions(Session& session);
int AdminLeader(Session& session);
int AdminStatus(Session& session);
int AdminRebalance(Session& session);
int AdminBeginUpgrade(Session& session);
int AdminUpgradeStatus(Session& session);
int AdminRollback(Session& session);
int AdminFinishUpgrade(Session& session);
int AdminApiUsage(Session& session);
int AdminAudit(Session& session);
int KeysStatus(Session& session);
int KeysRotate(Session& session);
// These ask no batond.
int CertsCa(Session& session);
int CertsIssue(Session& session);
int CertsShow(Session& session);
int CertsCheck(Session& session);
int ContextList(Session& session);
int ContextUse(Session& session);
int ContextAdd(Session& session);
int ContextShow(Session& session);
int ContextRemove(Session& session);
int DefinitionPin(Session& session);
int DefinitionUnpin(Session& session);
int DomainFresh(Session& session);
int DomainList(Session& session);
int DomainEgress(Session& session);
int Scale(Session& session);
int Delete(Session& session);
int Ping(Session& session);
int Version(Session& session);

}  // namespace baton::cli
