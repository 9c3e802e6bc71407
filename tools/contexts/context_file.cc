#include "tools/contexts/context_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "orchestrator/base/unique_fd.h"

namespace baton {
namespace {

namespace fs = std::filesystem;

Error Failed(const std::string& what, const std::string& file) {
  return {ErrorKind::kFailedPrecondition, what + " " + file + ": " + std::strerror(errno), {}};
}

std::string Set(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Under another name, which is left nowhere where it fails.
Status WriteBeside(std::string& beside, const std::string& text) {
  const UniqueFd file(mkstemp(beside.data()));  // 0600
  if (!file.valid()) return Failed("cannot make", beside);
  const bool written = write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(file.get()) == 0;
  return written ? Status(Done{}) : Failed("cannot write", beside);
}

}  // namespace

std::string ContextFile() {
  if (std::string file = Set("BATON_CONTEXT_FILE"); !file.empty()) return file;
  if (const std::string config = Set("XDG_CONFIG_HOME"); config.starts_with('/')) return config + "/baton/contexts.yaml";
  const std::string home = Set("HOME");
  return home.empty() ? "" : home + "/.config/baton/contexts.yaml";
}

Result<Contexts> LoadContexts(const std::string& file) {
  std::error_code none;
  if (file.empty() || !fs::exists(file, none)) return Contexts{};
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return Failed("cannot read", file);
  return ReadContexts(file, text);
}

Status SaveContexts(const std::string& given, const Contexts& contexts) {
  if (given.empty()) {
    return Error{ErrorKind::kFailedPrecondition, "there is nowhere to keep contexts: set HOME or BATON_CONTEXT_FILE", {}};
  }
  std::error_code failed;
  const std::string file = fs::is_symlink(given, failed) ? fs::weakly_canonical(given, failed).string() : given;
  if (const fs::path parent = fs::path(file).parent_path(); !parent.empty()) fs::create_directories(parent, failed);
  std::string beside = file + ".XXXXXX";
  Status written = WriteBeside(beside, TextOf(contexts));
  if (written && rename(beside.c_str(), file.c_str()) != 0) written = Failed("cannot rename to", file);
  if (!written) unlink(beside.c_str());
  return written;
}

}  // namespace baton
