#include "tools/embedded_postgres/embedded_postgres.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string_view>

#include "tools/embedded_postgres/server_lock.h"
#include "tools/embedded_postgres/server_programs.h"

namespace baton {
namespace {

namespace fs = std::filesystem;

// PostgreSQL refuses to run as root.
Result<std::optional<UnixUser>> UserToRunAs() {
  if (geteuid() != 0) return std::optional<UnixUser>();
  for (const char* name : {"postgres", "nobody"}) {
    if (const passwd* entry = getpwnam(name)) {
      return std::optional<UnixUser>(UnixUser{name, entry->pw_uid, entry->pw_gid});
    }
  }
  return FailedPrecondition("PostgreSQL does not run as root, and there is neither a user 'postgres' nor 'nobody'");
}

constexpr std::chrono::seconds kEnd{60};

// A Unix socket's path may have 107 bytes.
constexpr std::size_t kSocketDirMax = 80;

Status MakeDir(const std::string& dir, mode_t mode, const std::optional<UnixUser>& owner) {
  std::error_code error;
  fs::create_directories(dir, error);
  if (error) return FailedPrecondition("cannot make " + dir + ": " + error.message());
  if (owner && chown(dir.c_str(), owner->uid, owner->gid) != 0) {
    return FailedPrecondition("cannot give " + dir + " to user " + owner->name + ": " + std::strerror(errno));
  }
  if (chmod(dir.c_str(), mode) != 0)
    return FailedPrecondition("cannot change the mode of " + dir + ": " + std::strerror(errno));
  return Done{};
}

bool IsOwnDir(const std::string& dir, const std::optional<UnixUser>& owner) {
  struct stat there {};
  return lstat(dir.c_str(), &there) == 0 && S_ISDIR(there.st_mode) && there.st_uid == (owner ? owner->uid : geteuid()) &&
         (there.st_mode & 07777) == 0700;
}

// One whose place the user can write to, too: nothing that is there is changed. A link would have us, as root, give away what
// it leads to.
Status MakeOwnDir(const std::string& dir, const std::optional<UnixUser>& owner) {
  if (mkdir(dir.c_str(), 0700) == 0) {
    if (!owner || lchown(dir.c_str(), owner->uid, owner->gid) == 0) return Done{};
    return FailedPrecondition("cannot give " + dir + " to user " + owner->name + ": " + std::strerror(errno));
  }
  if (errno != EEXIST) return FailedPrecondition("cannot make " + dir + ": " + std::strerror(errno));
  if (IsOwnDir(dir, owner)) return Done{};
  return FailedPrecondition(dir + " is not a directory of mode 0700 that belongs to " +
                            (owner ? "user " + owner->name : "this user") +
                            ": remove it if it is yours, or choose another directory for the embedded PostgreSQL");
}

// Of a name that nobody could guess and take before, also not by a link, by which root would give away what it leads to.
Result<std::string> MakeTemporaryDir(const std::optional<UnixUser>& owner) {
  char dir[] = "/tmp/baton-XXXXXX";
  if (!mkdtemp(dir)) return FailedPrecondition(std::string("cannot make a directory in /tmp: ") + std::strerror(errno));
  if (!owner || lchown(dir, owner->uid, owner->gid) == 0) return std::string(dir);
  return FailedPrecondition(std::string("cannot give ") + dir + " to user " + owner->name + ": " +
                            std::strerror(errno));
}

// Where the socket is if its place in `dir` is too long a path. A link in `dir`, which nobody else can enter, has it for the
// next start; it is made anew where it leads to nothing of ours, such as after /tmp was emptied.
Result<std::string> TemporarySocketDir(const std::string& link, const std::optional<UnixUser>& owner) {
  std::error_code none;
  const std::string kept = fs::read_symlink(link, none).string();
  if (!none && IsOwnDir(kept, owner)) return kept;
  const Result<std::string> made = MakeTemporaryDir(owner);
  if (!made) return made.error();
  fs::remove(link, none);
  fs::create_directory_symlink(*made, link, none);
  if (none) return FailedPrecondition("cannot make the link " + link + ": " + none.message());
  return made;
}

// What a shell, libpq and postgresql.conf all read as one word: pg_ctl hands its command line to a shell.
bool IsPlain(const std::string& path) {
  return std::ranges::all_of(path, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || byte >= 0x80 || std::string_view("/._-+=:@%").find(c) != std::string_view::npos;
  });
}

// pg_ctl only says where PostgreSQL's own words are, and a test's directory is gone before anybody reads them.
constexpr std::size_t kLogLinesShown = 5;
std::string LastLines(const std::string& path, std::size_t count) {
  std::ifstream file(path);
  std::deque<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back("    " + line + "\n");
    if (lines.size() > count) lines.pop_front();
  }
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

std::string ShellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

}  // namespace

Result<std::unique_ptr<EmbeddedPostgres>> EmbeddedPostgres::Start(const Options& options) {
  std::unique_ptr<EmbeddedPostgres> postgres(new EmbeddedPostgres());
  postgres->options_ = options;
  unsetenv("PGHOSTADDR");  // libpq would take it over the socket, and a url without quotes cannot say that there is none
  if (Status status = postgres->Prepare(options); !status) return status.error();
  if (!fs::exists(postgres->data_ + "/PG_VERSION")) {
    if (Status status = postgres->MakeCluster(); !status) return status.error();
  }
  postgres->taken_up_ = postgres->Runs();
  if (Status status = postgres->taken_up_ ? postgres->FindSocket() : postgres->StartServer(options); !status) return status.error();
  postgres->url_ = postgres->UrlOf("baton");
  return postgres;
}

Status EmbeddedPostgres::Prepare(const Options& options) {
  if (options.dir.empty()) return FailedPrecondition("the directory of the embedded PostgreSQL is empty");
  auto user = UserToRunAs();
  if (!user) return user.error();
  user_ = *user;
  const std::string dir = fs::absolute(options.dir).lexically_normal();
  if (!IsPlain(dir)) {
    return FailedPrecondition(
        "the directory of the embedded PostgreSQL, " + dir +
        ", has a character that its tools would not take as it is: letters, digits and /._-+=:@% are taken");
  }
  if (Status status = MakeDir(dir, 0700, user_); !status) return status;
  if (user_) {
    const auto reach = RunCommand({"/usr/bin/test", "-w", dir}, user_);
    if (!reach || reach->exit_status != 0) {
      return FailedPrecondition(
          dir + " cannot be entered by user '" + user_->name +
          "', which runs PostgreSQL because root may not: choose a directory that it can reach, for example "
          "/var/lib/baton");
    }
  }
  data_ = dir + "/data";
  auto bin = FindServerPrograms(data_);
  if (!bin) return bin.error();
  bin_ = *bin;
  log_ = dir + "/postgres.log";
  socket_dir_ = dir + "/socket";
  if (socket_dir_.size() <= kSocketDirMax) return MakeOwnDir(socket_dir_, user_);
  const Result<std::string> temporary = TemporarySocketDir(socket_dir_, user_);
  if (!temporary) return temporary.error();
  socket_dir_ = *temporary;
  return Done{};
}

// A server that runs has its socket where it was started with it.
Status EmbeddedPostgres::FindSocket() {
  const std::string running = ServerLock::OfCluster(data_).SocketDir();
  if (running.empty() || running == socket_dir_) return Done{};
  if (!IsOwnDir(running, user_)) {
    return FailedPrecondition("the PostgreSQL that runs in " + data_ + " has its socket in " + running +
                              ", which is not a directory of mode 0700 of its user: stop it (pg_ctl -D " + data_ +
                              " stop), and start again");
  }
  socket_dir_ = running;
  return Done{};
}

std::string EmbeddedPostgres::UrlOf(const std::string& role, const std::string& database) const {
  return "host=" + socket_dir_ + " user=" + role + " dbname=" + database;
}

// Beside its place, and moved there when it is whole, with the database in it: what is left of a start that was cut
// off, by kill -9 or by power that was lost, is never taken for a cluster. The name is of this process: an initdb that
// goes on after its batond was killed is in no other's way.
Status EmbeddedPostgres::MakeCluster() {
  const std::string made = data_ + ".making-" + std::to_string(getpid());
  static_cast<void>(RunCommand({"/bin/sh", "-c", R"(rm -rf "$0".making-*)", data_}, user_));
  std::vector<std::string> initdb = {
      bin_ + "/initdb",  "-D", made, "--username=baton", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8",
      "--data-checksums"};
  if (!options_.durable) initdb.push_back("--no-sync");
  if (Status status = MustRun("initdb", initdb); !status) return status;
  constexpr char kMakeDatabase[] =
      R"(echo "CREATE DATABASE baton" | "$0" --single -D "$1" -c exit_on_error=on -c "$2" postgres)";
  if (Status status = MustRun("CREATE DATABASE", {"/bin/sh", "-c", kMakeDatabase, bin_ + "/postgres", made,
                                                  options_.durable ? "fsync=on" : "fsync=off"});
      !status) {
    return status;
  }
  return MustRun("mv", {"/bin/sh", "-c", R"(mv -T "$0" "$1" && sync "${1%/*}")", made, data_});
}

Status EmbeddedPostgres::MustRun(const std::string& what, const std::vector<std::string>& command) {
  const auto done = RunCommand(command, user_);
  if (!done) return done.error();
  if (done->exit_status == 0) return Done{};
  return FailedPrecondition(what + " failed for " + data_ + ":\n" + done->output);
}

Status EmbeddedPostgres::StartServer(const Options& options) {
  std::string settings = "-c listen_addresses= -c " + ShellQuoted("unix_socket_directories=" + socket_dir_) +
                         " -c max_connections=60 -c shared_buffers=128MB -c log_line_prefix=%m";
  if (!options.durable) settings += " -c fsync=off -c full_page_writes=off";
  ShortenLog();
  for (const ServerLock& left : {ServerLock::OfCluster(data_), ServerLock::OfSocket(socket_dir_, data_)}) {
    if (!left.BlocksStart()) continue;
    if (Status status = MustRun("rm", {"/bin/rm", "-f", left.path()}); !status) return status;
  }
  for (const std::string& setting : options.settings) settings += " -c " + ShellQuoted(setting);
  if (Status status = PgCtl({"start", "-w", "-t", "60", "-l", log_, "-o", settings}); !status) {
    return FailedPrecondition(status.error().message + "its log ends:\n" + LastLines(log_, kLogLinesShown));
  }
  return Done{};
}

Status EmbeddedPostgres::PgCtl(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {bin_ + "/pg_ctl", "-D", data_};
  if (arguments.front() == "start" && !options_.environment.empty()) {
    command.insert(command.begin(), options_.environment.begin(), options_.environment.end());
    command.insert(command.begin(), "/usr/bin/env");
  }
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto done = RunCommand(command, user_);
  if (!done) return done.error();
  if (done->exit_status == 0) return Done{};
  return FailedPrecondition("pg_ctl " + arguments.front() + " failed for " + data_ + " (its log: " + log_ + "):\n" +
                            done->output);
}

bool EmbeddedPostgres::Runs() const { return ServerLock::OfCluster(data_).ServerRuns(); }

// As who runs PostgreSQL: in a directory of its, root would follow a link. It writes each line at the end of the file,
// wherever that is. What it logs between the two commands is lost, and so are the lines before where the disk is too
// full for both files.
void EmbeddedPostgres::ShortenLog() const {
  std::error_code none;
  const auto bytes = fs::file_size(log_, none);
  if (none || bytes <= kLogBytesMax) return;
  static_cast<void>(RunCommand({"/bin/sh", "-c", R"(cp "$0" "$0.1" || rm -f "$0.1"; : >"$0")", log_}, user_));
}

Status EmbeddedPostgres::StartAgain() { return StartServer(options_); }

Status EmbeddedPostgres::Stop() { return StopAs("fast"); }

Status EmbeddedPostgres::StopImmediately() { return StopAs("immediate"); }

// pg_ctl would send its signal to whatever has the number in a file that was left.
Status EmbeddedPostgres::StopAs(const char* mode) {
  std::optional<Process> server = ServerLock::OfCluster(data_).Server();
  if (!server) return FailedPrecondition("no PostgreSQL runs in " + data_ + " (its log: " + log_ + ")");
  if (Status status = PgCtl({"stop", "-w", "-m", mode, "-t", "60"}); !status) return status;
  // pg_ctl waits for its file, which goes before the process does.
  if (server->WaitForEnd(kEnd)) return Done{};
  return FailedPrecondition("PostgreSQL in " + data_ + " has said that it ended, and its process " + std::to_string(server->pid()) +
                            " is still there (its log: " + log_ + ")");
}

}  // namespace baton
