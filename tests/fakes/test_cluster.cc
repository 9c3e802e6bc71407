#include "tests/fakes/test_cluster.h"

#include <linux/magic.h>
#include <pwd.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "orchestrator/base/check.h"
#include "tests/fakes/file_lock.h"
#include "tests/fakes/pg_fixture.h"
#include "tools/embedded_postgres/command.h"
#include "tools/embedded_postgres/embedded_postgres.h"
#include "tools/embedded_postgres/server_programs.h"

namespace baton {
namespace {

namespace fs = std::filesystem;

// In the build folder, which nobody else writes to.
std::string Made(Cluster which) {
  return std::string(BATON_TEST_CLUSTER) + (which == Cluster::kMigrated ? "-migrated" : "");
}

// Tests run beside each other: one makes the cluster, many copy it.
FileLock LockCluster(Cluster which, int how) { return {Made(which) + ".lock", how}; }

void MustRun(const std::vector<std::string>& command, const std::optional<UnixUser>& user) {
  const auto done = RunCommand(command, user);
  if (done && done->exit_status != 0) std::fprintf(stderr, "%s\n", done->output.c_str());
  CHECK(done.ok() && done->exit_status == 0);
}

// Owners and modes are kept: PostgreSQL reads nothing that is not its own user's.
void Copy(const std::string& from, const std::string& to) {
  MustRun({"/bin/cp", "-a", "--reflink=auto", from, to}, std::nullopt);
}

bool IsMade(Cluster which) {
  std::error_code none;
  const auto made = fs::last_write_time(Made(which), none);
  if (none || made < fs::last_write_time("/usr/lib/postgresql", none)) return false;
  return which == Cluster::kEmpty || made >= fs::last_write_time(BATON_MIGRATOR, none);
}

void MigrateIn(const EmbeddedPostgres& postgres) {
  CHECK(OpenSession(postgres.url())->RunAlone(std::string("CREATE DATABASE ") + kMigratedDatabase).ok());
  Migrated(postgres.UrlOf("baton", kMigratedDatabase));
}

// Its log of writes begins anew, in files of a megabyte in place of 16, of which there may be two: half of what is copied for
// each process of tests.
void ShrinkLog(const std::string& data) {
  const auto bin = FindServerPrograms(data);
  CHECK(bin.ok());
  MustRun({*bin + "/pg_resetwal", "--wal-segsize=1", "-D", data}, ClusterUser());
}

void Make(Cluster which) {
  const FileLock lock = LockCluster(which, LOCK_EX);
  if (IsMade(which)) return;  // by another test, meanwhile
  const std::string dir = MakeClusterDir("baton-cluster");
  auto started = EmbeddedPostgres::Start({.dir = dir + "/pg", .durable = false});
  if (!started) std::fprintf(stderr, "%s\n", started.error().message.c_str());
  CHECK(started.ok());
  if (which == Cluster::kMigrated) MigrateIn(**started);
  CHECK((*started)->Stop().ok());
  if (which == Cluster::kMigrated) ShrinkLog(dir + "/pg/data");
  const std::string made = Made(which);
  const std::string copied = made + ".new";
  fs::remove_all(copied);
  Copy(dir + "/pg/data", copied);
  fs::remove_all(made);
  fs::rename(copied, made);
  fs::last_write_time(made, fs::file_time_type::clock::now());  // cp kept that of the data
  fs::remove_all(dir);
}

}  // namespace

std::string ClusterRoot() {
  constexpr char kMemory[] = "/dev/shm";
  constexpr std::uint64_t kRoomMin = std::uint64_t{2} << 30;  // a container's own has 64 MB
  struct statfs is {};
  const bool in_memory = statfs(kMemory, &is) == 0 && is.f_type == TMPFS_MAGIC && access(kMemory, W_OK) == 0;
  return in_memory && is.f_bavail * static_cast<std::uint64_t>(is.f_bsize) >= kRoomMin ? kMemory : "/tmp";
}

std::string MakeClusterDir(const std::string& name) {
  std::string dir = ClusterRoot() + "/" + name + "-XXXXXX";
  CHECK(mkdtemp(dir.data()) != nullptr);
  fs::permissions(dir, fs::perms(0755));  // its user is another one where we are root
  return dir;
}

void CopyClusterTo(const std::string& dir, Cluster which) {
  if (!IsMade(which)) Make(which);
  const FileLock lock = LockCluster(which, LOCK_SH);
  fs::create_directories(dir);
  Copy(Made(which), dir + "/data");
}

std::optional<UnixUser> ClusterUser() {
  if (geteuid() != 0) return std::nullopt;
  const passwd* entry = getpwnam("postgres");
  CHECK(entry != nullptr);
  return UnixUser{entry->pw_name, entry->pw_uid, entry->pw_gid};
}

}  // namespace baton
