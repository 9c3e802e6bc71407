#include "tools/batond/access_files.h"

#include <utility>

#include "orchestrator/base/secret_file.h"

namespace baton::batond {
namespace {

constexpr std::size_t kBytesMax = 4 << 20;
constexpr int kParts = 5;  // of the time between two looks

// Who writes it decides who may do what: it is kept as keys are.
Result<std::string> ReadText(const std::string& path, const char* called) {
  return ReadSecretFile({.path = path, .called = called, .bytes_max = kBytesMax});
}

}  // namespace

Result<AccessRules> ReadAccessFile(const std::string& path) {
  if (path.empty()) return AccessRules::Unlimited();
  const auto text = ReadText(path, "access file");
  return text ? ParseAccess(*text, path) : Result<AccessRules>(text.error());
}

Result<DenyList> ReadRevokedFile(const std::string& path) {
  if (path.empty()) return DenyList();
  const auto text = ReadText(path, "file of revoked certificates");
  return text ? ParseDenyList(*text, path) : Result<DenyList>(text.error());
}

Result<AccessContent> ReadAccessFiles(const ServiceOptions& options) {
  auto rules = ReadAccessFile(options.access);
  if (!rules) return rules.error();
  auto denied = ReadRevokedFile(options.revoked);
  if (!denied) return denied.error();
  return AccessContent{*std::move(rules), *std::move(denied)};
}

AccessFiles::AccessFiles(Options options, Log& log, Metrics& metrics, Told told)
    : options_(std::move(options)), log_(log), metrics_(metrics), told_(std::move(told)),
      ticker_(options_.every / kParts, [this] { return Tick(); }) {}

template <class Content, class Read, class Tell>
void AccessFiles::Look(const char* option, const std::string& path, std::string& known, Read read, const Tell& tell) {
  if (path.empty()) return;
  Result<Content> content = read(path);
  metrics_.Set("baton_access_file_refused", content ? 0 : 1, option);
  const std::string fault = content ? "" : content.error().message;
  if (fault != std::exchange(known, fault)) {
    if (fault.empty()) {
      log_.Info("access_file_taken", {{"option", option}, {"file", path}});
    } else {
      log_.Error("access_file_refused", {{"option", option}, {"error", fault}, {"todo", "mend it: until then what was read before holds"}});
    }
  }
  if (content) tell(*std::move(content));
}

Ticker::Wait AccessFiles::Tick() {
  if (part_ == 0) told_.afterwards();
  part_ = (part_ + 1) % kParts;
  if (part_ == 0) {
    Look<AccessRules>("access", options_.access, known_access_, ReadAccessFile, told_.access);
    Look<DenyList>("revoked", options_.revoked, known_revoked_, ReadRevokedFile, told_.revoked);
    told_.looked();
  }
  return options_.every / kParts;
}

std::unique_ptr<AccessFiles> FollowAccess(const ServiceOptions& options, Log& log, Metrics& metrics, Server& server) {
  // What is embedded is tried out, on one machine.
  if (options.access.empty() && options.embedded.empty()) {
    log.Warn("access_unlimited", {{"why", "each controller may touch apps of every domain, each cell take what waits: give --access FILE"}});
  }
  return std::make_unique<AccessFiles>(
      AccessFiles::Options{.access = options.access, .revoked = options.revoked, .every = options.access_look}, log, metrics,
      AccessFiles::Told{.access = [&server](AccessRules rules) { server.Use(std::move(rules)); },
                        .revoked = [&server](DenyList list) { server.Use(std::move(list)); },
                        .looked = [&server] { server.LookAtStreams(); },
                        .afterwards = [&server] { server.CutConnections(); }});
}

}  // namespace baton::batond
