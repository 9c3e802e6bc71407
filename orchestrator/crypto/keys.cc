#include "orchestrator/crypto/keys.h"

#include <algorithm>

#include "orchestrator/base/secret_file.h"
#include "orchestrator/crypto/encrypted_columns.h"

namespace baton {
namespace {

constexpr std::size_t kLabelBytesMax = 127;
constexpr std::size_t kPassphraseBytesMin = 20;
constexpr char kNone[] = "none";
constexpr char kOnly[] = "only";

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// The next word of the line, taken off it.
std::string_view TakeWord(std::string_view& line) {
  while (!line.empty() && IsBlank(line.front())) line.remove_prefix(1);
  const auto end = std::ranges::find_if(line, IsBlank);
  const std::string_view word = line.substr(0, static_cast<std::size_t>(end - line.begin()));
  line.remove_prefix(word.size());
  while (!line.empty() && IsBlank(line.front())) line.remove_prefix(1);
  return word;
}

// A word that is no label is not repeated: it may be a key in the wrong place.
Status CheckLabel(std::string_view label) {
  if (label == kNone) return FailedPrecondition("'none' is no label for a key: `active none` means that there is none");
  if (IsKeyLabel(label)) return Done{};
  return FailedPrecondition("a key's label takes 1 to 127 of [A-Za-z0-9]");
}

}  // namespace

bool IsKeyLabel(std::string_view label) {
  const auto is_plain = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  return !label.empty() && label.size() <= kLabelBytesMax && std::ranges::all_of(label, is_plain);
}

std::vector<std::string> KeyRing::labels() const {
  std::vector<std::string> labels;
  for (const auto& [label, key] : keys_) labels.push_back(label);
  return labels;
}

std::optional<crypto::Secret> KeyRing::TableKey(std::string_view label, std::string_view table) const {
  const auto key = keys_.find(label);
  if (key == keys_.end()) return std::nullopt;
  const auto known = key->second.tables.find(table);
  if (known != key->second.tables.end()) return known->second;
  return crypto::Derive(key->second.secret, "baton blob " + std::string(table));
}

Status KeyRing::Add(const std::string& label, const crypto::Secret& secret) {
  for (const auto& [other, key] : keys_) {
    if (other == label) return FailedPrecondition("there are two keys with the label " + label);
    // Else one of them is taken for safely gone while the other is still the same.
    if (key.secret == secret) return FailedPrecondition("the labels " + other + " and " + label + " have the same key");
  }
  Key& key = keys_[label];
  key.secret = secret;
  for (const EncryptedTable& table : EncryptedTables()) {
    key.tables.emplace(table.table, crypto::Derive(secret, "baton blob " + std::string(table.table)));
  }
  return Done{};
}

Result<std::shared_ptr<const KeyRing>> KeyRing::Parse(std::string_view text) {
  const auto ring = std::make_shared<KeyRing>();
  const auto take = [&](std::string_view line) -> Status {
    const std::string_view verb = TakeWord(line);
    if (verb != "key" && verb != "passphrase" && verb != "active" && verb != "sealed") {
      return FailedPrecondition("a line begins with 'key', 'passphrase' or 'active', or is 'sealed only'");
    }
    const std::string label(TakeWord(line));
    if (verb == "sealed") {
      if (label != kOnly || !line.empty()) return FailedPrecondition("behind 'sealed' stands 'only'");
      ring->sealed_only_ = true;
      return Done{};
    }
    if (verb == "active") {
      if (label != kNone) {
        if (Status fine = CheckLabel(label); !fine) return fine;
      }
      if (!line.empty()) return FailedPrecondition("behind 'active' stands one label");
      if (ring->active_said_) return FailedPrecondition("there are two lines 'active'");
      ring->active_said_ = true;
      ring->active_ = label == kNone ? "" : label;
      return Done{};
    }
    if (Status fine = CheckLabel(label); !fine) return fine;
    if (verb == "key") {
      const auto secret = crypto::FromBase64(line);
      if (!secret)
        return FailedPrecondition("key " + label + " is not the base64 of 32 bytes (openssl rand -base64 32)");
      return ring->Add(label, *secret);
    }
    if (line.size() < kPassphraseBytesMin) {
      return FailedPrecondition("passphrase " + label + " has " + std::to_string(line.size()) +
                                " characters; it takes 20 at least");
    }
    return ring->Add(label, crypto::FromPassphrase(line, "baton key " + label));
  };
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    while (!line.empty() && (IsBlank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
    while (!line.empty() && IsBlank(line.front())) line.remove_prefix(1);
    if (line.empty() || line.front() == '#') continue;
    if (const Status taken = take(line); !taken) {
      return FailedPrecondition("line " + std::to_string(number) + ": " + taken.error().message);
    }
  }
  if (ring->keys_.empty()) return FailedPrecondition("there is no key in it");
  if (!ring->active_said_) return FailedPrecondition("no key is active: a line `active LABEL` is missing");
  if (!ring->active_.empty() && !ring->Has(ring->active_)) {
    return FailedPrecondition("the active key " + ring->active_ + " is not in it");
  }
  if (ring->sealed_only_ && ring->active_.empty())
    return FailedPrecondition("`sealed only` and `active none` contradict each other");
  return std::shared_ptr<const KeyRing>(ring);
}

Result<std::shared_ptr<const KeyRing>> KeyRing::Load(const std::string& path) {
  auto text = ReadSecretFile({.path = path});
  if (!text) return text.error();
  auto ring = Parse(*text);
  crypto::Wipe(*text);
  if (!ring) return FailedPrecondition("key file " + path + ": " + ring.error().message);
  return ring;
}

}  // namespace baton
