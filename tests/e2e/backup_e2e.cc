// The page on backup and restore, followed to the letter, while apps serve and callers write.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/e2e/debian_cluster.h"
#include "tests/e2e/runbook.h"
#include "tests/e2e/scene.h"
#include "tests/e2e/writers.h"
#include "tests/schema/pg_tools.h"
#include "tools/client/channel.h"
#include "tools/embedded_postgres/command.h"

namespace baton {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Clock = std::chrono::steady_clock;

constexpr char kPage[] = "docs/guide/backup.md";
constexpr std::chrono::seconds kAnswerPatience{30};
constexpr int kWriters = 2;
constexpr char kDomain[] = "demo";

// The apps, and what the page says of them, whatever the database is.
class Restoring : public Scene {
 protected:
  explicit Restoring(stack::StackOptions options)
      : Scene(std::move(options)), runbook_(kPage, dir_.path() + "/runbook") {
    runbook_.Export("BATON_BATOND", stack_->api_address());
    runbook_.StandIn("systemctl", [this](const std::string& arguments) { Systemctl(arguments); });
  }

  // On each machine with a batond.
  void Systemctl(const std::string& arguments) {
    if (arguments == "start batond") return stack_->StartBatonds();
    ASSERT_EQ(arguments, "stop batond");
    for (std::size_t which = 0; which < stack_->api_addresses().size(); ++which) {
      stack_->batond(which).Signal(SIGTERM);
      ASSERT_TRUE(stack_->batond(which).WaitForEnd(kAnswerPatience));
    }
  }
  std::string Follow(const std::string& block, const std::map<std::string, std::string>& replaced = {}) {
    const Runbook::Outcome outcome = runbook_.Run(block, replaced);
    EXPECT_EQ(outcome.exit_status, 0) << block << ":\n" << outcome.output;
    return outcome.output;
  }
  double SecondsOf(const std::string& block) {
    const auto began = Clock::now();
    Follow(block);
    return std::chrono::duration<double>(Clock::now() - began).count();
  }
  void StartAnother(const std::string& guid) {
    stack::HelloApp another = app_;
    another.process_guid = guid;
    another.hostname = guid + ".example";
    another.instances = 1;
    EXPECT_EQ(EndOf(stack_->api().Desire(stack::DesiredHello(another, stack::HelloDefinition(another, "v1")))),
              v2::COMPLETED);
  }
  // The cells' names for what runs of an app.
  std::set<std::string> Running(const std::string& guid) {
    std::set<std::string> running;
    for (const v2::ActualLRP& lrp : stack_->api().Instances(guid)) {
      if (lrp.state() == "RUNNING") running.insert(lrp.instance_key().instance_guid());
    }
    return running;
  }
  int Annotation(const std::string& guid) {
    const auto apps = v1::DesiredLRPs::NewStub(Dial(stack_->api_addresses().at(stack_->api().Leader().value_or(0))));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kAnswerPatience);
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid(guid);
    v1::DesiredLRPResponse response;
    EXPECT_TRUE(apps->GetDesiredLRP(&context, request, &response).ok());
    return response.desired_lrp().annotation().empty() ? 0 : std::stoi(response.desired_lrp().annotation());
  }
  // What the restored database knows of is left alone all the while, and what it does not is sent again.
  void ExpectTheRestGoesOn(const std::set<std::string>& wanted) {
    EXPECT_TRUE(Await([&] { return Running(app_.process_guid) == wanted; }));
    StartAnother("later");
    Follow("fresh", {{"shop", kDomain}});
    EXPECT_EQ(Running("later").size(), 1U);
    EXPECT_EQ(RunCommand(Baton({"admin", "convergence", "--run"}), {})->exit_status, 0)
        << "a pass with the fresh domain";
    EXPECT_EQ(Running(app_.process_guid), wanted);
    ExpectUnnoticed();
  }

  Runbook runbook_;
};

// There before the stack.
struct HasCluster {
  HasCluster() { cluster_.Start(); }
  DebianCluster cluster_;
};

class Backup : private HasCluster, public Restoring {
 protected:
  Backup() : Restoring(Options(cluster_)) {
    cluster_.ExportTo(runbook_);
    runbook_.SayFirst("here", "PG='15 proof' PG_DATA=" + cluster_.data() + " PG_CONF=" + cluster_.conf() +
                                  " DATABASE='" + cluster_.url() +
                                  "' FILES=deploy/backup KEPT=" + cluster_.Path("kept"));
  }
  static stack::StackOptions Options(const DebianCluster& cluster) {
    stack::StackOptions options;
    options.batonds = 2;
    options.database = cluster.url();
    return options;
  }
  // With the same address, name and memory as that of the stack.
  void Accept(std::size_t which) {
    const std::string name = "batond-" + std::to_string(which + 1);
    const std::string config = dir_.path() + "/" + name + ".conf";
    std::ofstream(config) << "listen = \"" << stack_->api_address(which)
                          << "\"\nmetrics = \"\"\ninsecure = true\nid = \"" << name << "\"\ndatabase = \""
                          << cluster_.url() << "\"\n";
    runbook_.Export("BATON_BATOND", stack_->api_address(which));
    Follow("accept", {{"runuser -u baton -- batond", "batond"},
                      {"/etc/baton/batond.conf", config},
                      {"/var/lib/baton/batond.state", dir_.path() + "/" + name + ".state"}});
    runbook_.Export("BATON_BATOND", stack_->api_address(0) + "," + stack_->api_address(1));
  }
  const DebianCluster& cluster() const { return cluster_; }
};

// Needs pgbackrest, so `./dev prove backup` alone runs it.
TEST_F(Backup, DISABLED_ThePageRestoresWhatWasArchivedAndNamesWhatWasLost) {
  Begin();
  StartTraffic();
  Follow("set-up", {{"/etc/pgbackrest.conf", cluster().Path("pgbackrest.conf")}});
  Writers writers(stack_->api_addresses(), kWriters, std::chrono::milliseconds(5));
  const double backup_s = SecondsOf("backup");
  // Since the base backup: what the archive alone has.
  EXPECT_EQ(EndOf(Update("v2")), v2::COMPLETED);
  ASSERT_TRUE(AwaitOnly("v2", app_.instances));
  const std::vector<int> archived{writers.app(0).acknowledged, writers.app(1).acknowledged};
  const auto archived_at = Clock::now();
  testing::PgProgram({"psql", "-Xqd", cluster().url(), "-c", "SELECT pg_switch_wal()"});
  EXPECT_THAT(Follow("drill"), AllOf(HasSubstr("drill: ok "), HasSubstr("all is well")));
  StartAnother("later");
  Follow("words");
  const std::set<std::string> wanted = Running(app_.process_guid);
  writers.Stop();

  const auto down = Clock::now();
  const double unarchived_s = std::chrono::duration<double>(down - archived_at).count();
  ASSERT_EQ(kill(cluster().postmaster(), SIGKILL), 0);
  Follow("stop");
  const double restore_s = SecondsOf("restore");
  Accept(0);
  Accept(1);
  Follow("start");
  const double down_s = std::chrono::duration<double>(Clock::now() - down).count();

  const std::string told = Follow("lost");
  EXPECT_THAT(told, HasSubstr(std::string("app later of domain ") + kDomain + " is gone"));
  EXPECT_THAT(told, Not(HasSubstr("app " + app_.process_guid + " ")));
  int written = 0;
  for (std::size_t i = 0; i < archived.size(); ++i) {
    const int found = Annotation(Writers::Guid(i));
    EXPECT_GE(found, archived[i]) << "acknowledged before the file was archived";
    EXPECT_LE(found, writers.app(i).acknowledged + 1);
    written += found;
  }
  ExpectTheRestGoesOn(wanted);
  std::cout
      << "backup: base backup under writes " << backup_s << " s, restore " << restore_s << " s, without Baton "
      << down_s << " s, writes acknowledged " << writers.Acknowledged() << ", restored " << written
      << ", lost those of the last " << unarchived_s
      << " s at most, instances of what was restored that were stopped 0, apps lost and named 1, requests failed 0\n";
}

class EmbeddedBackup : public Restoring {
 protected:
  EmbeddedBackup() : Restoring({}) {
    const std::string kept = dir_.path() + "/kept";
    fs::create_directory(kept);
    fs::permissions(kept, fs::perms(0777));
    runbook_.SayFirst("here", "EMBEDDED=" + dir_.path() + "/pg FILES=deploy/backup KEPT=" + kept);
  }
};

TEST_F(EmbeddedBackup, ThePageRestoresItAndWhatItKnowsGoesOn) {
  Begin();
  StartTraffic();
  Follow("embedded-backup");
  StartAnother("later");
  const std::set<std::string> wanted = Running(app_.process_guid);
  Follow("stop");
  Follow("embedded-restore");
  stack_->StartBatond(0, {.program = {}, .database = {}, .arguments = {"--accept-store"}});
  ExpectTheRestGoesOn(wanted);
}

}  // namespace
}  // namespace baton
