#include "tools/cell/instances/definitions.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "orchestrator/wire/stored/content_hash.h"
#include "tools/shim/atomic_file.h"

namespace baton::cell {
namespace {

namespace fs = std::filesystem;

// A hash comes by the network: only as what it says it is does it become a file's name.
bool IsHash(const std::string& text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

bool IsContent(const v2::LRPDefinition& definition, const std::string& content_hash) {
  return definition.content_hash() == content_hash && wire::ContentHash(definition) == content_hash;
}

Definitions::Definitions(std::string dir) : dir_(std::move(dir)) { mkdir(dir_.c_str(), 0700); }

std::string Definitions::PathOf(const std::string& content_hash) const { return dir_ + "/" + content_hash + ".pb"; }

DefinitionPtr Definitions::Find(const std::string& content_hash) {
  if (const auto found = known_.find(content_hash); found != known_.end()) return found->second;
  if (!IsHash(content_hash)) return nullptr;
  const std::optional<std::string> bytes = shim::ReadWholeFile(PathOf(content_hash));
  auto definition = std::make_shared<v2::LRPDefinition>();
  if (!bytes || !definition->ParseFromString(*bytes) || !IsContent(*definition, content_hash)) return nullptr;
  return known_[content_hash] = std::move(definition);
}

DefinitionPtr Definitions::Keep(v2::LRPDefinition definition, const std::set<std::string>& in_use) {
  Trim(in_use);
  const std::string hash = definition.content_hash();
  auto kept = std::make_shared<const v2::LRPDefinition>(std::move(definition));
  known_[hash] = kept;
  // Not on the disk: it is asked for again in the cell's next life.
  if (IsHash(hash)) [[maybe_unused]]
    const bool written = shim::WriteWholeFile(PathOf(hash), kept->SerializeAsString()).ok();
  return kept;
}

void Definitions::Trim(const std::set<std::string>& in_use) {
  std::vector<std::pair<fs::file_time_type, fs::path>> unused;
  std::size_t count = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(dir_, none)) {
    ++count;
    if (!in_use.contains(entry.path().stem())) unused.emplace_back(entry.last_write_time(none), entry.path());
  }
  if (count < kKeptMax && known_.size() < kKeptMax) return;
  std::sort(unused.begin(), unused.end());
  for (const auto& [written, path] : unused) {
    if (count-- < kKeptMax) break;
    fs::remove(path, none);
  }
  std::erase_if(known_, [&](const auto& known) { return !in_use.contains(known.first); });
}

}  // namespace baton::cell
