// What cells and routers read: archives, their own files, the kernel's, HAProxy's.
#include <archive.h>
#include <archive_entry.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "orchestrator/base/check.h"
#include "tests/fuzz/targets.h"
#include "tools/router/haproxy/haproxy_config.h"
#include "tools/router/haproxy/haproxy_master.h"
#include "tools/router/haproxy/haproxy_socket.h"
#include "tools/router/routes/naming.h"
#include "tools/shim/downloads/unpack.h"
#include "tools/shim/instance_dir.h"
#include "tools/shim/process_table.h"

namespace baton::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

// A folder of this process, empty at first.
class Scratch {
 public:
  Scratch() : path_((fs::temp_directory_path() / "baton-fuzz-XXXXXX").string()) { CHECK(mkdtemp(path_.data()) != nullptr); }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void Write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Archives. Whatever is in one, it lands in the folder, and is no more than the limits.
constexpr shim::UnpackLimits kLimits{.bytes_max = 1 << 20, .entries_max = 100, .depth_max = 8};

void RunUnpack(std::string_view bytes) {
  static const Scratch outside;
  const fs::path inside = fs::path(outside.path()) / "inside";
  const std::string secret = outside.path() + "/secret";
  Write(secret, "as it was");
  fs::create_directory(inside);
  const fs::path before = fs::current_path();
  fs::current_path(inside);
  const int archive = memfd_create("archive", MFD_CLOEXEC);
  CHECK(archive >= 0 && write(archive, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) && lseek(archive, 0, SEEK_SET) == 0);
  const Status unpacked = shim::UnpackHere(archive, kLimits);
  close(archive);
  fs::current_path(before);
  CHECK(unpacked || !unpacked.error().message.empty());
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(outside.path())) names.insert(entry.path().filename());
  CHECK((names == std::set<std::string>{"inside", "secret"}));
  std::ifstream in(secret);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "as it was" && fs::hard_link_count(secret) == 1);
  std::uintmax_t size = 0;
  std::uint64_t entries = 0;
  for (const auto& entry : fs::recursive_directory_iterator(inside, fs::directory_options::skip_permission_denied)) {
    CHECK(entry.is_symlink() || entry.is_directory() || entry.is_regular_file());
    if (!entry.is_symlink() && entry.is_regular_file()) size += entry.file_size();
    ++entries;
  }
  CHECK(size <= kLimits.bytes_max && entries <= kLimits.entries_max * (kLimits.depth_max + 1U));
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(inside)) {
    if (!entry.is_symlink()) fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add, ignored);
  }
  fs::remove_all(inside);
}

struct Packed {
  std::string name;
  std::string text;
  std::string link = {};  // symbolic
  std::string hard = {};
};
std::string Archive(const std::vector<Packed>& entries, bool zip = false) {
  std::string packed(1 << 16, '\0');
  std::size_t used = 0;
  archive* to = archive_write_new();
  zip ? archive_write_set_format_zip(to) : archive_write_set_format_ustar(to);
  archive_write_set_bytes_in_last_block(to, 1);
  CHECK(archive_write_open_memory(to, packed.data(), packed.size(), &used) == ARCHIVE_OK);
  for (const Packed& one : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, one.name.c_str());
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_filetype(entry, one.link.empty() ? AE_IFREG : AE_IFLNK);
    archive_entry_set_size(entry, static_cast<la_int64_t>(one.link.empty() && one.hard.empty() ? one.text.size() : 0));
    if (!one.link.empty()) archive_entry_set_symlink(entry, one.link.c_str());
    if (!one.hard.empty()) archive_entry_set_hardlink(entry, one.hard.c_str());
    CHECK(archive_write_header(to, entry) == ARCHIVE_OK);
    if (one.link.empty() && one.hard.empty()) archive_write_data(to, one.text.data(), one.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(to);
  archive_write_free(to);
  packed.resize(used);
  return packed;
}
std::vector<std::string> UnpackSeeds() {
  return {Archive({{"app/run", "#!/bin/sh\n"}, {"latest", "", "app"}}), Archive({{"app/run", "echo"}}, true),
          Archive({{"../secret", "changed"}}), Archive({{"x", "", ".."}, {"x/secret", "changed"}}), Archive({{"h", "", "", "../secret"}})};
}

// What a cell and its shim leave for each other, and the kernel says.
void RunInstance(std::string_view bytes) {
  static const Scratch scratch;
  const shim::InstanceDir dir{scratch.path()};
  Write(dir.LaunchFile(), bytes);
  if (const auto launch = shim::ReadLaunch(dir)) {
    CHECK(shim::WriteLaunch(dir, *launch));
    CHECK(shim::ReadLaunch(dir).has_value());
  }
  Write(dir.State(), bytes);
  if (const auto state = shim::ReadState(dir)) {
    CHECK(shim::WriteState(dir, *state));
    CHECK(shim::ReadState(dir).has_value());
  }
  if (const auto stat = shim::ParseStat(bytes)) CHECK(stat->identity.pid > 0);
}
std::vector<std::string> InstanceSeeds() {
  const Scratch scratch;
  const shim::InstanceDir dir{scratch.path()};
  const auto text = [](const std::string& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  CHECK(shim::WriteLaunch(dir, shim::Launch{}) && shim::WriteState(dir, shim::ShimState{}));
  return {text(dir.LaunchFile()), text(dir.State()), text("/proc/self/stat"),
          "42 (a ) b (c) R 1 42 42 0 -1 4194304 88 0 0 0 0 0 0 0 20 0 1 0 5029 2723840 224"};
}

void RunMaster(std::string_view bytes) {
  if (const auto view = router::ParseProcesses(bytes)) CHECK(view->master >= 0 && view->worker >= 0);
  for (const std::string& answer : router::SplitAnswers(std::string(bytes))) CHECK(answer.size() <= bytes.size());
}
std::vector<std::string> MasterSeeds() {
  return {"#<PID>          <type>          <reloads>       <uptime>        <version>\n"
          "1162            master          5               0d00h02m07s     2.6.12\n# workers\n"
          "1271            worker          1               0d00h00m00s     2.6.12\n# old workers\n"
          "1233            worker          3               0d00h00m43s     2.6.12\n# programs\n\n"s,
          "a\n\nb\n\n"};
}

// Routes of hostile names, "HOST PATH ID ADDRESS PORT" each. What is taken makes lines of the generator's own alone, and HAProxy reads it.
router::RouteTable TableOf(std::string_view bytes, router::BackendAssignment& assignment) {
  std::vector<router::RouteEndpoint> endpoints;
  while (!bytes.empty() && endpoints.size() < 16) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    std::string words[5];
    for (std::string& word : words) {
      const std::size_t at = std::min(line.find('\t'), line.size());
      word = line.substr(0, at);
      line.remove_prefix(std::min(at + 1, line.size()));
    }
    router::RouteEndpoint one{.route = {.hostname = words[0], .path = words[1], .external_port = 0, .router_group = {}},
                              .actual_id = words[2],
                              .address = {},
                              .port = static_cast<std::uint32_t>(std::strtoul(words[4].c_str(), nullptr, 10))};
    const auto address = router::CanonicalAddress(words[3]);
    // As the router asks of what it is told (routes_wire.cc).
    if (router::FaultOf(one.route) || one.route.tcp() || !router::IsServerName(one.actual_id) || !address ||
        one.port == 0 || one.port > router::kPortMax)
      continue;
    one.address = *address;
    endpoints.push_back(one);
    assignment.backend_of.try_emplace(one.route, router::PoolBackendName(assignment.backend_of.size()));
  }
  router::RouteTable table;
  table.Replace({1, 1}, endpoints);
  return table;
}
void RunConfig(std::string_view bytes) {
  static const Scratch scratch;
  static int checked = 0;
  constexpr int kCheckedMax = 8;  // each starts a HAProxy
  const router::HaproxyFiles files(scratch.path());
  const router::ConfigShape shape{.listen = "127.0.0.1:8080", .backends = 16};
  router::BackendAssignment assignment;
  const router::RouteTable table = TableOf(bytes, assignment);
  const std::string config = router::MakeConfig(shape, files, table, assignment);
  const std::string bare = router::MakeConfig(shape, files, {}, {});
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  CHECK(lines(config) == lines(bare) + static_cast<std::ptrdiff_t>(table.EndpointCount()));
  const std::string map = router::MakeMap(assignment);
  CHECK(lines(map) == lines(router::MakeMap({})) + static_cast<std::ptrdiff_t>(assignment.backend_of.size()));
  for (const auto& [route, backend] : assignment.backend_of) CHECK(router::FromMapKey(router::MapKey(route)) == route);
  if (table.EndpointCount() == 0 || checked == kCheckedMax || !fs::exists("/usr/sbin/haproxy")) return;
  ++checked;
  Write(files.config, config);
  Write(files.map, map);
  Write(files.flags, "");
  CHECK(std::system(("/usr/sbin/haproxy -c -q -f " + files.config + " >/dev/null 2>&1").c_str()) == 0);
}
std::vector<std::string> ConfigSeeds() {
  return {"a.example\t/api\ti-1\t10.0.0.1\t81\0*.b.example\t\ti-2\t::1\t82"s,
          "a.example\n  server evil 10.0.0.9:80\t\ti-1\t10.0.0.1\t81"s, "a.example\t/x;set\ti 1\t10.0.0.1 weight 9\t65536"s};
}

}  // namespace

const std::vector<Target>& MachineTargets() {
  static const std::vector<Target> kTargets = {{"unpack", RunUnpack, UnpackSeeds},
                                               {"instance", RunInstance, InstanceSeeds},
                                               {"master", RunMaster, MasterSeeds},
                                               {"config", RunConfig, ConfigSeeds}};
  return kTargets;
}

}  // namespace baton::fuzz
