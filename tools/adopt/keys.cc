#include "tools/adopt/keys.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "orchestrator/base/unique_fd.h"
#include "orchestrator/wire/limits/text.h"

namespace baton::adopt {
namespace {

constexpr std::size_t kLabelBytesMax = 127;

std::string KeyOf(const std::string& passphrase) {
  std::array<unsigned char, 32> digest;
  unsigned int length = 0;
  CHECK(EVP_Digest(passphrase.data(), passphrase.size(), digest.data(), &length, EVP_sha256(), nullptr) == 1);
  return {digest.begin(), digest.end()};
}

}  // namespace

Result<SourceKeys> SourceKeys::Parse(std::string_view text) {
  auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return InvalidArgument("it is no JSON object of key label to passphrase");
  if (json.contains("encryption_keys")) json = nlohmann::json(json["encryption_keys"]);
  if (!json.is_object() || json.empty()) return InvalidArgument("it holds no keys: {\"LABEL\": \"PASSPHRASE\", ...}");
  SourceKeys keys;
  for (const auto& [label, passphrase] : json.items()) {
    if (label.empty() || label.size() > kLabelBytesMax) {
      return InvalidArgument("key label " + wire::Shown(label) + " has " + std::to_string(label.size()) +
                             " bytes; it takes 1 to 127");
    }
    if (!passphrase.is_string() || passphrase.get<std::string>().empty()) {
      return InvalidArgument("the passphrase of key label " + wire::Shown(label) + " is no text, or empty");
    }
    keys.keys_[label] = KeyOf(passphrase.get<std::string>());
  }
  return keys;
}

Result<SourceKeys> SourceKeys::Read(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about {};
  if (file.get() < 0 || fstat(file.get(), &about) != 0) {
    return InvalidArgument("--source-keys " + path + " cannot be read: " + std::strerror(errno));
  }
  if (about.st_mode & 077) {
    return InvalidArgument("--source-keys " + path + " may be read by others than its owner: chmod 600 " + path);
  }
  std::string text;
  std::array<char, 4096> piece;
  for (ssize_t count; (count = read(file.get(), piece.data(), piece.size())) > 0;) text.append(piece.data(), count);
  auto keys = Parse(text);
  if (!keys) return InvalidArgument("--source-keys " + path + ": " + keys.error().message);
  return keys;
}

const std::string* SourceKeys::Find(const std::string& label) const {
  const auto found = keys_.find(label);
  return found == keys_.end() ? nullptr : &found->second;
}

std::string SourceKeys::Labels() const {
  std::string labels;
  for (const auto& [label, key] : keys_) labels += (labels.empty() ? "" : ", ") + wire::Shown(label);
  return labels;
}

}  // namespace baton::adopt
