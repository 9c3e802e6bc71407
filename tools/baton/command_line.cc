#include "tools/baton/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "orchestrator/model/calls/socket_address.h"
#include "orchestrator/model/version.h"
#include "tools/baton/admin/database_options.h"
#include "tools/baton/commands/rollout.h"
#include "tools/baton/completion.h"
#include "tools/baton/contexts/certs_options.h"
#include "tools/baton/contexts/context_options.h"
#include "tools/baton/yaml/amounts.h"
#include "tools/client/channel.h"
#include "tools/command_line/nearest.h"
#include "tools/command_line/one_of.h"

namespace baton::cli {
namespace {

constexpr double kSecondsMax = 86'400;
constexpr std::int64_t kSinceMostMs = std::int64_t{10 * 366} * 86'400'000;

// In the order of Output.
const std::vector<std::string> kOutputs{"table", "wide", "json", "yaml"};
static_assert(static_cast<int>(Output::kTable) == 0 && static_cast<int>(Output::kYaml) == 3);

// What people may call a kind, and what it is called here. The plural comes first: it is what completion offers.
const std::map<std::string, std::string> kKindNames{
    {"apps", "app"},   {"app", "app"},   {"instances", "instance"},     {"instance", "instance"},
    {"cells", "cell"}, {"cell", "cell"}, {"definitions", "definition"}, {"definition", "definition"},
    {"rolls", "roll"}, {"roll", "roll"}};

std::string Canonical(std::string& kind) {
  const auto known = kKindNames.find(kind);
  if (known == kKindNames.end()) {
    std::vector<std::string> kinds;
    for (const auto& [name, canonical] : kKindNames) kinds.push_back(name);
    const auto nearest = Nearest(kind, kinds);
    return "'" + kind + "' is no kind" +
           (nearest ? ": did you mean " + *nearest + "?" : "; expected app, instance, cell, roll or definition");
  }
  kind = known->second;
  return {};
}

// 90s, 5m, or a bare number of seconds.
std::int64_t TimeoutMs(const std::string& name, const std::string& text) {
  double bare_s = 0;
  const auto spelled = ParseMilliseconds(text);
  const bool bare = CLI::detail::lexical_cast(text, bare_s);
  const double ms = spelled ? static_cast<double>(*spelled) : bare_s * 1000;
  if ((!spelled && !bare) || !(ms >= 1 && ms <= kSecondsMax * 1000)) {
    throw CLI::ValidationError(name, "expected a time up to one day as 90s, 5m or 10, found '" + text + "'");
  }
  return static_cast<std::int64_t>(ms);
}

// One option for both, as people mean both by it; what the environment says is of one call alone.
void DeclareTimeout(CLI::App& app, Arguments& a) {
  const CLI::Option* timeout =
      app.add_option("--timeout", a.timeout, "For one call with all its tries, as 10s, 5m or seconds; default: 10s, or "
                     "BATON_TIMEOUT. With --wait and --watch: how long at most until the end; exit status 1 then, with what "
                     "it waits for")
          ->type_name("TIME");
  app.parse_complete_callback([&a, timeout] {
    if (const char* set = std::getenv("BATON_TIMEOUT"); set && *set) a.timeout_ms = TimeoutMs("BATON_TIMEOUT", set);
    if (timeout->count() == 0) return;
    (a.wait || a.watch ? a.wait_ms : a.timeout_ms) = TimeoutMs("--timeout", a.timeout);
  });
}

void DeclareGlobal(CLI::App& app, Arguments& a) {
  app.add_option("--batond", a.batond, "HOST:PORT of batond; several, separated by ',', are tried in turn")
      ->delimiter(',')
      ->envname("BATON_BATOND");
  app.add_option("--tls", a.tls, "Directory with ca.pem, cert.pem and key.pem (baton certs issue): who you are, over mutual TLS")
      ->type_name("DIR")
      ->envname("BATON_TLS");
  app.add_option("--context", a.context_name, "Which context gives what --batond and --tls do not; default: the current one, unless "
                 "--batond is given (baton context list)")
      ->type_name("NAME")
      ->envname("BATON_CONTEXT");
  DeclareTimeout(app, a);
  app.add_option("--reconnect-timeout", a.reconnect_s, "Seconds without a word from batond after which watching ends")
      ->check(CLI::Range(0.0, kSecondsMax))
      ->capture_default_str();
  app.add_option("--actor", a.actor, "Who asks, for the histories; default: USER@HOST")->envname("BATON_ACTOR");
  const auto output = [&a](const std::string& word) { a.output = static_cast<Output>(std::ranges::find(kOutputs, word) - kOutputs.begin()); };
  app.add_option_function<std::string>("-o,--output", output, "How it is shown")->check(OneOf(kOutputs))->type_name("FORMAT");
  app.add_flag("--no-color", a.no_colour, "No colours; NO_COLOR in the environment says the same");
}

// What `plan` and `apply` have in common, so that the one can say what the other would do.
CLI::App* AddWithFiles(CLI::App& app, const char* name, const char* help, Arguments& a, Command& command,
                       int (*run)(Session&)) {
  CLI::App* added = AddCommand(app, name, help, command, run);
  const auto many = [](CLI::Option* option, const char* type) {
    return option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->type_name(type);
  };
  many(added->add_option("-f,--file", a.files,
                         "App file, docs/reference/cli.md; '-' is stdin; may be given several times"),
       "FILE")
      ->required();
  many(added->add_option("--set", a.settings, "NAME=VALUE for ${NAME} in the files; may be given several times"),
       "NAME=VALUE");
  added->add_flag("--retry", a.retry, "Also where the last roll to this definition failed or was cancelled");
  added->add_flag("--accept-unroutable", a.accept_unroutable, "Also where a host name would end with no endpoint");
  many(added->add_option("--port-alias", a.port_aliases,
                         "ROUTE=OWN: what a route's port is called in the new definition; may be given several times"),
       "PORT=PORT");
  return added;
}

void DeclareApply(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* apply = AddWithFiles(app, "apply", "Create or update apps from files", a, command, Apply);
  apply->add_flag("--wait", a.wait, "Follow the rolls to their end, as rollout status --watch");
  apply->add_flag("--dry-run", a.dry_run, "Print what it would change, field by field, and change nothing");
  apply->add_option("--plan", a.plan_token, "Only if nothing has changed since baton plan gave this token")
      ->type_name("TOKEN");
  AddWithFiles(app, "plan", "What apply would do, step by step; changes nothing", a, command, Plan);
}

void DeclareAudit(CLI::App& admin, Arguments& a, Command& command) {
  CLI::App* audit =
      AddCommand(admin, "audit", "Who asked to change what, newest first, and what was refused", command, AdminAudit);
  audit->add_option("--app", a.app, "Only of this app");
  audit
      ->add_option("--actor", a.audit_actor,
                   "Only of this caller; who asks here is said by BATON_ACTOR, or before 'admin'")
      ->type_name("ACTOR");
  audit
      ->add_option_function<std::string>(
          "--since",
          [&a](const std::string& text) {
            const auto ago = ParseMilliseconds(text);
            if (!ago || *ago == 0 || *ago > kSinceMostMs) {
              throw CLI::ValidationError("--since", "expected how long ago, as 90s, 2h or 7d, found '" + text + "'");
            }
            a.since_ms = *ago;
          },
          "Only since so long ago, as 90s, 2h or 7d; default: all that is kept")
      ->type_name("TIME");
  audit->add_option("--most", a.audit_max, "So many of the newest; 0: all")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
}

void DeclareOperators(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* retire = AddCommand(app, "retire", "Replace an app's instances although they are well", command, Retire);
  retire->add_option("APP", a.guid, "The app")->required();
  retire->add_option("--definition", a.definition, "Only those that were started from it");
  retire->add_flag("--wait", a.wait, "Until they are gone and their slots are served");
  CLI::App* explain = AddCommand(app, "explain",
                                 "What an app and each of its slots waits for, with a roll or without; or a cell "
                                 "that drains: explain cell CELL",
                                 command, ExplainOne);
  explain->add_option("APP", a.guid, "The app, or the word 'cell'")->required();
  explain->add_option("CELL", a.cell, "The cell: which instances are left on it, and why");
  CLI::App* logs = AddCommand(app, "logs", "What an instance wrote, from its cell", command, Logs);
  logs->add_option("APP", a.guid, "The app")->required();
  logs->add_option("INDEX", a.index, "Its slot; default: 0")->check(CLI::Range(0, 100'000));
  logs->add_option("--tail", a.tail, "How many of its last lines")->check(CLI::Range(1, 10'000))->capture_default_str();
  logs->add_flag("--raw", a.raw, "Every byte as it was written, also what does something to a terminal");
  logs->add_flag("-f,--follow", a.follow, "And what it writes from now on, through restarts of batond and of the instance");
  CLI::App* cell = app.add_subcommand("cell", "See cells, take them out of use and back");
  cell->require_subcommand(1);
  CLI::App* drain =
      AddCommand(*cell, "drain", "Nothing new on it, and what it runs goes elsewhere", command, CellDrain);
  drain->add_option("CELL", a.name, "The cell")->required();
  drain->add_flag("--wait", a.wait, "Until nothing is left on it");
  CLI::App* undrain = AddCommand(*cell, "undrain", "It takes instances again", command, CellUndrain);
  undrain->add_option("CELL", a.name, "The cell")->required();
  CLI::App* get = AddCommand(*cell, "get", "All cells, or one", command, CellGet);
  get->add_option("CELL", a.name, "Only this one");
  CLI::App* describe =
      AddCommand(*cell, "describe", "Everything about one cell, and how far its draining is", command, CellDescribe);
  describe->add_option("CELL", a.name, "The cell")->required();
}

void DeclareRouters(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* router = app.add_subcommand("router", "See routers, and say that one is gone for good");
  router->require_subcommand(1);
  AddCommand(*router, "get", "All routers: connected or not, and what each has not applied yet", command, RouterGet);
  CLI::App* remove = AddCommand(*router, "remove",
                                "It is gone for good: drains and new instances wait for it no more. One that is "
                                "there all the same comes back by itself",
                                command, RouterRemove);
  remove->add_option("ROUTER", a.name, "The router")->required();
}

void DeclareDefinitions(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* definition = app.add_subcommand("definition", "Keep a definition whatever becomes of it, or no longer");
  definition->require_subcommand(1);
  struct Verb {
    const char* name;
    const char* help;
    int (*run)(Session&);
  };
  for (const Verb& verb : {Verb{"pin", "It is not collected until it is unpinned", DefinitionPin},
                           Verb{"unpin", "It is kept only for other reasons", DefinitionUnpin}}) {
    CLI::App* added = AddCommand(*definition, verb.name, verb.help, command, verb.run);
    added->add_option("APP", a.guid, "The app")->required();
    added->add_option("DEFINITION", a.definition, "Its definition")->required();
  }
}

void DeclareRebalance(CLI::App& admin, Arguments& a, Command& command) {
  CLI::App* rebalance = AddCommand(
      admin, "rebalance", "Move instances so that apps are spread evenly over zones and cells; dry without --yes",
      command, AdminRebalance);
  rebalance->add_option("APP", a.guid, "Only this app; without it all that are uneven, the most uneven first");
  rebalance->add_flag("--yes", a.yes, "Move them, as baton retire replaces instances");
  rebalance->add_option("--most", a.most, "How many instances at most, in all")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->type_name("COUNT");
  rebalance->add_flag("--wait", a.wait, "With --yes: app by app, until they are gone and their slots served");
}

void DeclareUpgrade(CLI::App& admin, Arguments& a, Command& command) {
  CLI::App* begin =
      AddCommand(admin, "begin-upgrade", "Bring the data to the schema of the batond that leads, while all goes on",
                 command, AdminBeginUpgrade);
  begin->add_option("--target", a.target, "Its schema, A.B.C: to be sure that it is the one you mean");
  begin->add_option("--shards", a.shards, "Into how many parts the work is cut; default: 16")->check(CLI::Range(1, 1024));
  begin->add_flag("--keep-old-in-sync", a.keep_old_in_sync, "After the switch the older layout is kept in step, for a way back");
  CLI::App* status =
      AddCommand(admin, "upgrade-status", "Where the upgrade is, shard by shard; exit status 1 where one failed",
                 command, AdminUpgradeStatus);
  CLI::App* back =
      AddCommand(admin, "rollback", "Give the upgrade up, or go back to the older schema", command, AdminRollback);
  CLI::App* finish =
      AddCommand(admin, "finish-upgrade", "Let the older layout go, for good", command, AdminFinishUpgrade);
  for (CLI::App* one : {begin, status, back, finish}) one->add_flag("--watch", a.watch, "Follow it to its end");
}

void DeclareConvergence(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* events = AddCommand(app, "events", "What every commit did: what is kept, or what comes", command, Events);
  events->add_flag("-f,--follow", a.follow, "What comes from now on, through restarts of batond");
  events->add_option("--after", a.after, "Everything after this sequence; with --follow default: from now on")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 62))
      ->type_name("SEQUENCE");
  events->add_option("--app", a.app, "Only of this app");
  events->add_option("--domain", a.domain, "Only of this domain");
  events->add_option("--cell", a.cell, "Only of this cell");
  events->add_option("--kind", a.kinds, "desired, definition, roll, actual, crashed, cell, domain, or one kind by its name")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::App* admin = app.add_subcommand("admin", "What batond is, what it begins with, and does by itself");
  admin->require_subcommand(1);
  CLI::App* convergence =
      AddCommand(*admin, "convergence", "What convergence has found and put right", command, Convergence);
  convergence->add_flag("--run", a.run, "A full pass now, and what it finds");
  AddCommand(*admin, "versions", "Of what version the data, every batond and every cell is", command, AdminVersions);
  AddCommand(*admin, "leader", "Who leads", command, AdminLeader);
  AddCommand(*admin, "status", "What each batond of --batond is about; exit status 3 where none takes calls", command,
             AdminStatus);
  DeclareRebalance(*admin, a, command);
  DeclareUpgrade(*admin, a, command);
  CLI::App* usage = AddCommand(*admin, "api-usage", "Who calls which version of the API, and since when nobody",
                               command, AdminApiUsage);
  usage->add_option("--api", a.api_version, "Only calls of this version")
      ->check(OneOf({"v1", "v2"}))->type_name("VERSION");
  usage->add_option("--idle-days", a.idle_days,
                    "Exit status 1 unless nobody has called it for so many days; without --api: any that is deprecated")
      ->check(CLI::Range(1, 36'500))
      ->type_name("DAYS");
  DeclareAudit(*admin, a, command);
  CLI::App* keys = admin->add_subcommand("keys", "What stored data is encrypted with");
  keys->require_subcommand(1);
  CLI::App* status = AddCommand(*keys, "status", "Keys, their use, and how far a rotation is", command, KeysStatus);
  status->add_flag("--count", a.count, "Count every blob by its key: reads all of them");
  AddCommand(*keys, "rotate", "Read the key file again, and bring all data to its active key", command, KeysRotate);
  DeclareDatabases(*admin, a, command);
  CLI::App* domain = app.add_subcommand("domain", "Which controllers have synced");
  domain->require_subcommand(1);
  AddCommand(*domain, "list", "All fresh domains", command, DomainList);
  CLI::App* egress = AddCommand(*domain, "egress", "Whether apps run where no cell enforces their egress rules",
                                command, DomainEgress);
  auto* of = egress->add_option("DOMAIN", a.domain, "Decide it of this domain; '*': of every one that is not named. Without: list");
  egress
      ->add_option("UNENFORCED", a.unenforced_egress,
                   "refuse: they are placed nowhere; warn: they run without; default: as '*' says, which refuses of itself")
      ->check(OneOf({"refuse", "warn", "default"}))
      ->needs(of);
  CLI::App* fresh = AddCommand(*domain, "fresh", "What is wanted of this domain is all here", command, DomainFresh);
  fresh->add_option("DOMAIN", a.domain, "The domain")->required();
  fresh->add_option("--ttl", a.ttl_s, "Seconds for which that is so; 0: for ever")
      ->check(CLI::Range(0, 31'536'000))
      ->capture_default_str();
}

void DeclareReaders(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* get = AddCommand(app, "get", "List apps, instances, cells, rolls or definitions", command, Get);
  const CLI::Validator kind(Canonical, "", "kind");
  get->add_option("KIND", a.kind, "apps, instances, cells, rolls or definitions")->required()->transform(kind);
  get->add_option("NAME", a.name, "Only this one: an app; an instance's APP/SLOT or id; a cell; a roll's id");
  get->add_option("--domain", a.domain, "Only of this domain");
  get->add_option("--app", a.app, "Only of this app");
  get->add_flag("--all", a.all, "Finished rolls too");
  get->add_flag("--why", a.why, "Of definitions: what each is kept for, one reason a line");
  CLI::App* describe = AddCommand(app, "describe", "Everything about one thing", command, DescribeOne);
  describe->add_option("KIND", a.kind, "app, instance, cell, roll or definition")->required()->transform(kind);
  describe
      ->add_option("NAME", a.name,
                   "An app, APP/SLOT or an instance's id, a cell, a roll's id or its app, APP/DEFINITION")
      ->required();
  describe->add_option("--app", a.app, "The app of a definition");
}

}  // namespace

CLI::App* AddCommand(CLI::App& app, const std::string& name, const std::string& help, Command& command,
                     int (*run)(Session&)) {
  CLI::App* added = app.add_subcommand(name, help);
  added->callback([&command, run] { command = run; });
  return added;
}

void Declare(CLI::App& app, Arguments& a, Command& command) {
  a.batond = {kDefaultAddress};
  app.set_version_flag("--version", std::string("baton ") + kAppVersion);
  app.fallthrough();  // global options may stand behind a subcommand
  app.require_subcommand(1);
  DeclareGlobal(app, a);
  DeclareApply(app, a, command);
  DeclareReaders(app, a, command);
  DeclareCerts(app, a, command);
  DeclareContexts(app, a, command);
  DeclareRollout(app, a, command);
  DeclareOperators(app, a, command);
  DeclareRouters(app, a, command);
  DeclareDefinitions(app, a, command);
  DeclareConvergence(app, a, command);
  CLI::App* scale =
      AddCommand(app, "scale", "Change an app's number of instances, at once and without a roll", command, Scale);
  scale->add_option("APP", a.guid, "The app")->required();
  scale->add_flag("--wait", a.wait, "Until each slot is served, and nothing is left of those that went");
  const CLI::Range counts(0, 100'000);
  auto* instances = scale->add_option("--instances", a.instances, "How many, 0 to 100000")->check(counts);
  auto* number = scale->add_option("N", a.instances, "The same")->check(counts)->excludes(instances);
  scale->callback([&command, instances, number] {
    if (instances->count() + number->count() == 0) throw CLI::RequiredError("the number of instances, 0 to 100000,");
    command = Scale;
  });
  CLI::App* remove = AddCommand(app, "delete", "Remove an app; its instances drain and stop", command, Delete);
  remove->add_option("APP", a.guid, "The app")->required();
  remove->add_flag("--wait", a.wait, "Until none of its instances is left");
  AddCommand(app, "__names", "For completion scripts", command, Names)->group("")->add_option("KIND", a.kind);
  CLI::App* completion = app.add_subcommand("completion", "Print a completion script: source <(baton completion bash)");
  completion->add_option("SHELL", a.shell, "bash or zsh")->required()->check(OneOf({"bash", "zsh"}));
  AddCommand(app, "ping", "Whether a batond takes calls, and which one leads", command, Ping);
  AddCommand(app, "version", "Versions of this program and of the server", command, Version);
}

std::string Fault(const Arguments& arguments) {
  for (const std::string& address : arguments.batond) {
    if (!IsHostAndPort(address)) return "--batond takes HOST:PORT, not '" + address + "'";
  }
  return "";
}

}  // namespace baton::cli
