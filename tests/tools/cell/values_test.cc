// The small values of a cell: room, ports, records, environment, abilities, cgroups.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "orchestrator/wire/messages/actions.h"
#include "orchestrator/wire/stored/content_hash.h"
#include "tests/tools/shim/scratch_dir.h"
#include "tests/tools/shim/shim_run.h"
#include "tools/cell/abilities.h"
#include "tools/cell/instances/definitions.h"
#include "tools/cell/instances/environment.h"
#include "tools/cell/instances/record.h"
#include "tools/cell/instances/sweep.h"
#include "tools/cell/machine/cgroups.h"
#include "tools/cell/machine/ports.h"
#include "tools/cell/machine/room.h"
#include "tools/cell/messages.h"
#include "tools/shim/atomic_file.h"

namespace baton::cell {
namespace {

InstanceRecord SomeRecord() {
  InstanceRecord record;
  record.order = {"actual", "app", 4, 2, "v1", "hash", {64, 128, 10, 1}, 9000, "domain", true};
  record.instance_guid = "guid";
  record.state.phase = InstancePhase::kStopping;
  record.state.fact = {Fact::Kind::kCrashed, true, -9, "why", "last \xff words", 7, Lack::kHostPorts};
  record.state.answered = record.state.was_running = record.state.stop_ordered = record.state.silent = true;
  record.state.crash_reason = "ill";
  record.state.grace_ms = 77;
  record.ports = {{8080, 61002}, {9090, 61001}};
  record.ordered_at_ms = 1;
  record.claimed_at_ms = 2;
  record.ended_at_ms = 3;
  return record;
}

TEST(Record, IsReadAsItWasWritten) {
  const testing::ScratchDir scratch;
  InstanceRecord record = SomeRecord();
  ASSERT_TRUE(WriteRecord({scratch.path()}, record).ok());
  record.state.fact.last_output = "last \xEF\xBF\xBD words";
  EXPECT_EQ(ReadRecord({scratch.path()}), record);
  record.state.fact.exit_status = std::nullopt;
  ASSERT_TRUE(WriteRecord({scratch.path()}, record).ok());
  EXPECT_EQ(ReadRecord({scratch.path()}), record);
}

TEST(Record, DamagedIsAsIfMissing) {
  const testing::ScratchDir scratch;
  for (const char* text : {"", "{}", "[1]", "{\"state\":{\"phase\":\"x\"}}"}) {
    ASSERT_TRUE(shim::WriteWholeFile(RecordPath({scratch.path()}), text).ok());
    EXPECT_FALSE(ReadRecord({scratch.path()}));
  }
}

TEST(Room, FitsUpToTheCapacityAndNotBeyond) {
  Room room{{.memory_mb = 100, .disk_mb = 0, .pids = 0, .containers = 2}, {}};
  EXPECT_FALSE(room.Lacks({100, 1'000'000, 1'000'000, 1}));
  room.Take({60, 5, 5, 1});
  EXPECT_FALSE(room.Lacks({40, 0, 0, 1}));
  EXPECT_EQ(room.Lacks({41, 0, 0, 1})->text, "insufficient memory: 41 MiB wanted, 40 free");
  room.Take({0, 0, 0, 1});
  EXPECT_EQ(room.Lacks({0, 0, 0, 1})->text, "insufficient containers: 1 wanted, 0 free");
  EXPECT_EQ(room.Free(), (Resources{40, 0, 0, 0}));
  room.Give({60, 5, 5, 1});
  EXPECT_EQ(room.Free(), (Resources{100, 0, 0, 1}));
}

TEST(Ports, RangeIsReadOrRefused) {
  EXPECT_EQ(ParsePortRange("61000-62000")->first, 61000u);
  EXPECT_EQ(ParsePortRange("61000-62000")->last, 62000u);
  for (const char* bad : {"", "61000", "61000-", "-62000", "62000-61000", "80-90", "61000-70000", "61000-62000x"}) {
    EXPECT_FALSE(ParsePortRange(bad)) << bad;
  }
}

TEST(Ports, GoesRoundTheRangeBeforeItUsesOneAgain) {
  Ports ports(
      {61000, 61003}, [](std::uint32_t) { return true; }, 0);
  EXPECT_EQ(ports.Take(1), std::vector<std::uint32_t>{61000});
  ports.Give(61000);
  EXPECT_EQ(ports.Take(2), (std::vector<std::uint32_t>{61001, 61002}));
  EXPECT_EQ(ports.Take(2), (std::vector<std::uint32_t>{61003, 61000}));
  EXPECT_TRUE(ports.Take(1).empty());
  ports.Give(61002);
  EXPECT_TRUE(ports.Take(2).empty());  // all or none
  EXPECT_EQ(ports.Take(1), std::vector<std::uint32_t>{61002});
}

TEST(Ports, SkipsWhatIsTakenOnTheMachineOrReserved) {
  Ports ports(
      {61000, 61003}, [](std::uint32_t port) { return port != 61001; }, 1);
  ports.Reserve(61002);
  EXPECT_EQ(ports.Take(2), (std::vector<std::uint32_t>{61003, 61000}));
  EXPECT_TRUE(ports.Take(1).empty());
}

TEST(Environment, IsAsDiegoGivesItWithTheHostsPorts) {
  const auto given = CellEnvironment(SomeRecord(), "10.0.0.1");
  EXPECT_EQ(given.at("PORT"), "61002");
  EXPECT_EQ(given.at("CF_INSTANCE_PORT"), "61002");
  EXPECT_EQ(given.at("CF_INSTANCE_ADDR"), "10.0.0.1:61002");
  EXPECT_EQ(given.at("CF_INSTANCE_IP"), "10.0.0.1");
  EXPECT_EQ(given.at("CF_INSTANCE_INTERNAL_IP"), "10.0.0.1");
  EXPECT_EQ(given.at("CF_INSTANCE_INDEX"), "2");
  EXPECT_EQ(given.at("CF_INSTANCE_GUID"), "guid");
  EXPECT_EQ(given.at("CF_INSTANCE_PORTS"),
            R"([{"external":61002,"internal":8080},{"external":61001,"internal":9090}])");
  EXPECT_EQ(given.at("PORT_9090"), "61001");
  InstanceRecord portless = SomeRecord();
  portless.ports.clear();
  EXPECT_FALSE(CellEnvironment(portless, "10.0.0.1").contains("PORT"));
}

TEST(Messages, WhatEndedAndIsNotAnsweredIsInHandAsWhatItWas) {
  InstanceRecord record = SomeRecord();
  record.state = {};
  record.state.phase = InstancePhase::kEnded;
  EXPECT_EQ(InHand(record, "x").state(), v2::CellInstance::STARTING);
  record.state.was_running = true;
  record.state.fact.routable = true;
  EXPECT_EQ(InHand(record, "x").state(), v2::CellInstance::RUNNING);
  EXPECT_FALSE(InHand(record, "x").routable());
  record.state.stop_ordered = true;
  EXPECT_EQ(InHand(record, "x").state(), v2::CellInstance::STOPPING);
}

TEST(Abilities, NamesTheFirstThingThatCannotBeDone) {
  const auto lack = [](const std::string& run_info, Users users = Users::kAll) {
    v2::LRPDefinition definition;
    definition.mutable_resource()->set_root_fs("host:any");
    *definition.mutable_run_info() = testing::PlanOf(run_info);
    return CannotEnact(definition, {{"host:"}, users}).value_or("");
  };
  EXPECT_EQ(lack("action { run_action { path: 'x' } }"), "");
  EXPECT_EQ(lack("privileged: true"), "this cell cannot enact privileged");
  EXPECT_EQ(lack("volume_mounts { driver: 'd' }"), "this cell cannot enact volume mounts");
  EXPECT_EQ(lack("image_layers { name: 'l' }"), "this cell cannot enact image layers");
  EXPECT_EQ(lack("egress_rules { protocol: 'all' }"), "this cell cannot enact egress rules");
  v2::LRPDefinition walled;
  walled.mutable_resource()->set_root_fs("host:any");
  *walled.mutable_run_info() = testing::PlanOf("egress_rules { protocol: 'all' } action { run_action { path: 'x' } }");
  EXPECT_EQ(CannotEnact(walled, {{"host:"}, Users::kAll}, /*egress_unenforced=*/true), std::nullopt) << "as it was told";
  EXPECT_EQ(lack("sidecars { action { try_action { action { upload_action { } } } } }"),
            "this cell cannot enact an upload action");
  const std::string deep =
      "setup { serial_action { actions { timeout_action { action { run_action { user: 'vcap' } } } } } }";
  EXPECT_EQ(lack(deep), "");
  EXPECT_EQ(lack(deep, Users::kOwn), "this cell cannot enact running as user vcap");
}

std::string WhyNot(const std::string& run_info, const Means& means) {
  v2::LRPDefinition definition;
  definition.mutable_resource()->set_root_fs("host:any");
  *definition.mutable_run_info() = testing::PlanOf(run_info);
  return CannotEnact(definition, means).value_or("");
}

// The code of an app was root wherever its cell was, if its definition said nothing of a user, or said that one.
TEST(Abilities, ACellThatIsRootRunsNoAppAsRoot) {
  const Means root{{"host:"}, Users::kAllButRoot};
  const std::string unnamed = "this cell cannot enact running without a user: it would be root";
  const std::string nobody = "action { run_action { path: 'x' user: 'nobody' } } ";
  EXPECT_EQ(WhyNot(nobody, root), "");
  EXPECT_EQ(WhyNot("action { run_action { path: 'x' } }", root), unnamed);
  for (const std::string user : {"root", "0", "00", "root:x", "0:0", "root:nogroup", ":", "4294967296"}) {
    EXPECT_NE(WhyNot("action { run_action { path: 'x' user: '" + user + "' } }", root), "") << user;
    EXPECT_EQ(WhyNot("action { run_action { path: 'x' user: '" + user + "' } }", {{"host:"}, Users::kAll}), "") << user;
  }
  EXPECT_EQ(WhyNot("action { run_action { path: 'x' user: 'root' } }", root),
            "this cell cannot enact running as user root, which is root");
  const std::string bare = "{ try_action { action { run_action { path: 'x' } } } }";
  EXPECT_EQ(WhyNot(nobody + "setup " + bare, root), unnamed);
  EXPECT_EQ(WhyNot(nobody + "monitor " + bare, root), unnamed);
  EXPECT_EQ(WhyNot(nobody + "sidecars { action " + bare + " }", root), unnamed);
  // What it brings is the app's, and unpacked as the app's user.
  EXPECT_EQ(WhyNot(nobody + "setup { download_action { from: 'http://x' } }", root), "");
  EXPECT_EQ(WhyNot(nobody + "cached_dependencies { from: 'http://x' }", root), "");
  EXPECT_EQ(WhyNot(nobody + "setup { download_action { from: 'http://x' user: 'root' } }", root),
            "this cell cannot enact running as user root, which is root");
  EXPECT_EQ(WhyNot("action { download_action { from: 'http://x' } }", root), unnamed);
}

TEST(Abilities, MeansAreWhatTheOptionsAndTheUserSay) {
  CellOptions options;
  EXPECT_EQ(MeansOf(options, true).users, Users::kAllButRoot);
  EXPECT_EQ(MeansOf(options, false).users, Users::kOwn);
  options.allow_root_apps = true;
  EXPECT_EQ(MeansOf(options, true).users, Users::kAll);
  EXPECT_EQ(MeansOf(options, false).users, Users::kOwn);
}

TEST(Abilities, FileUrlsNeedADownloadDir) {
  const std::string plan = "action { run_action { path: 'x' } } cached_dependencies { from: 'FILE:///etc/x.tgz' }";
  EXPECT_EQ(WhyNot(plan, {{"host:"}, Users::kAll}),
            "this cell cannot enact a download from a file: URL (it has no --download-dir)");
  EXPECT_EQ(WhyNot(plan, {{"host:"}, Users::kAll, true}), "");
}

// A check of another port asked any service of the machine, and told in a crash reason what it answered.
TEST(Abilities, AChecksPortIsOneOfTheApps) {
  const std::string app = "ports: 8080 action { run_action { path: 'x' } } check_definition { ";
  const Means means{{"host:"}, Users::kAll};
  EXPECT_EQ(WhyNot(app + "checks { tcp_check { port: 8080 } } readiness_checks { http_check { port: 8080 } } }", means), "");
  EXPECT_EQ(WhyNot(app + "checks { tcp_check { port: 5432 } } }", means),
            "this cell cannot enact a check of port 5432, which is none of the app's ports");
  EXPECT_EQ(WhyNot(app + "readiness_checks { http_check { port: 22 } } }", means),
            "this cell cannot enact a check of port 22, which is none of the app's ports");
}

TEST(Abilities, UserIsOneOnlyForRoot) {
  const auto has = [](bool is_root) {
    const auto abilities = Abilities(is_root);
    return std::find(abilities.begin(), abilities.end(), "user") != abilities.end();
  };
  EXPECT_TRUE(has(true));
  EXPECT_FALSE(has(false));
}

// What an adoption notes of apps is what they lack.
TEST(Abilities, AreNotWhatNeedsAnotherKindOfCell) {
  const auto abilities = Abilities(/*is_root=*/true);
  for (const std::string& ability : abilities) EXPECT_EQ(wire::BeyondBatonCell(ability), "") << ability;
  for (const char* need : {"egress_rules", "image_layers", "privileged", "volume_mounts"}) {
    EXPECT_NE(wire::BeyondBatonCell(need), "") << need;
    EXPECT_EQ(std::ranges::find(abilities, need), abilities.end()) << need;
  }
}

TEST(Definitions, AreKeptOnTheDiskForTheNextLife) {
  const testing::ScratchDir scratch;
  v2::LRPDefinition definition;
  definition.mutable_resource()->set_memory_mb(7);
  const std::string hash = wire::ContentHash(definition);
  definition.set_content_hash(hash);
  Definitions(scratch / "d").Keep(definition, {});
  Definitions next(scratch / "d");
  ASSERT_TRUE(next.Find(hash));
  EXPECT_EQ(next.Find(hash)->resource().memory_mb(), 7);
  EXPECT_FALSE(next.Find(std::string(64, 'b')));
  EXPECT_FALSE(next.Find("../../etc/passwd"));
  const auto mode = std::filesystem::status(scratch / "d").permissions();
  EXPECT_EQ(mode & std::filesystem::perms::others_all, std::filesystem::perms::none);
}

// An app of the cell's own user can write there.
TEST(Definitions, OnesThatWereChangedOnTheDiskAreNone) {
  const testing::ScratchDir scratch;
  v2::LRPDefinition definition;
  definition.mutable_resource()->set_memory_mb(7);
  const std::string hash = wire::ContentHash(definition);
  definition.set_content_hash(hash);
  Definitions(scratch / "d").Keep(definition, {});
  definition.mutable_resource()->set_memory_mb(8);
  ASSERT_TRUE(shim::WriteWholeFile(scratch / ("d/" + hash + ".pb"), definition.SerializeAsString()).ok());
  EXPECT_FALSE(Definitions(scratch / "d").Find(hash));
}

TEST(Definitions, UnusedOnesGoWhenThereAreTooMany) {
  const testing::ScratchDir scratch;
  Definitions definitions(scratch / "d");
  const auto hash = [](std::size_t i) {
    const std::string number = std::to_string(i);
    return std::string(64 - number.size(), '0') + number;
  };
  for (std::size_t i = 0; i < Definitions::kKeptMax + 50; ++i) {
    v2::LRPDefinition definition;
    definition.set_content_hash(hash(i));
    definitions.Keep(definition, {hash(0)});
  }
  EXPECT_TRUE(definitions.Find(hash(0)));
  EXPECT_TRUE(definitions.Find(hash(Definitions::kKeptMax + 49)));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(scratch / "d")) ++files;
  EXPECT_LE(files, Definitions::kKeptMax);
}

// A folder with the kernel's files stands in for the kernel: what is written where is what is tested.
TEST(Cgroups, EnforceWhatTheParentOffersAndWriteTheLimits) {
  const testing::ScratchDir scratch;
  std::ofstream(scratch / "cgroup.controllers") << "cpu memory pids\n";
  // What is written to it goes over the blanks; a kernel would show what it has accepted.
  std::ofstream(scratch / "cgroup.subtree_control") << "            cpu memory pids\n";
  const Cgroups cgroups = Cgroups::Below(scratch.path());
  EXPECT_EQ(cgroups.enforces(), (std::vector<std::string>{"memory", "pids"}));
  const Result<std::string> made = cgroups.Make("guid", {.memory_mb = 64, .pids = 20});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(*made, scratch / "guid");
  EXPECT_EQ(shim::ReadWholeFile(*made + "/pids.max"), "20");
  EXPECT_EQ(shim::ReadWholeFile(*made + "/memory.max"), std::to_string(64 << 20));
}

TEST(Cgroups, SumUpTheMemoryOfInstances) {
  const testing::ScratchDir scratch;
  std::ofstream(scratch / "cgroup.controllers") << "memory\n";
  std::ofstream(scratch / "cgroup.subtree_control") << "        memory\n";
  const Cgroups cgroups = Cgroups::Below(scratch.path());
  EXPECT_EQ(cgroups.MemoryInUse(), 0);
  for (const char* guid : {"guid-1", "guid-2"}) {
    const Result<std::string> made = cgroups.Make(guid, {});
    ASSERT_TRUE(made.ok());
    std::ofstream(*made + "/memory.current") << "1048576\n";
  }
  ASSERT_TRUE(cgroups.Make("guid-3", {}).ok()) << "one of which the kernel says nothing";
  std::filesystem::create_directories(scratch / "baton-cell");
  std::ofstream(scratch / "baton-cell/memory.current") << "5\n";  // its own, which is no instance
  EXPECT_EQ(cgroups.MemoryInUse(), 2 << 20);
  EXPECT_EQ(Cgroups().MemoryInUse(), 0);
}

// The kernel shows a process of another pid namespace as 0, below which everything is.
TEST(Sweep, TakesNobodyOutOfACgroupThatIsNoProcessOfItsOwn) {
  const testing::ScratchDir scratch;
  std::filesystem::create_directories(scratch / "below/further");
  std::ofstream(scratch / "cgroup.procs") << "0\n1\n" << getpid() << "\n";
  EXPECT_TRUE(ProcessesOfInstance({"guid", {}, scratch.path()}).empty());
  const pid_t child = fork();
  if (child == 0) pause();
  std::ofstream(scratch / "below/further/cgroup.procs") << child << "\n";
  const auto found = ProcessesOfInstance({"guid", {}, scratch.path()});
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].identity.pid, child);
}

TEST(Cgroups, EnforceNothingWhereThereIsNone) {
  const testing::ScratchDir scratch;
  const Cgroups cgroups = Cgroups::Below(scratch.path());
  EXPECT_TRUE(cgroups.enforces().empty());
  EXPECT_EQ(*cgroups.Make("guid", {.memory_mb = 64}), "");
}

}  // namespace
}  // namespace baton::cell
