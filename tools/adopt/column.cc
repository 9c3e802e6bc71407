#include "tools/adopt/column.h"

#include <google/protobuf/stubs/logging.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "orchestrator/base/check.h"
#include "orchestrator/wire/limits/text.h"

namespace baton::adopt {
namespace {

constexpr std::size_t kNonce = 12;
constexpr std::size_t kTag = 16;
constexpr char kProto = 2;

const unsigned char* Bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string decoded(text.size() / 4 * 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(decoded.data()), Bytes(text), static_cast<int>(text.size()));
  if (length < 0) return std::nullopt;
  // OpenSSL counts the padding as bytes.
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  if (text.substr(0, text.size() - padding).find('=') != std::string_view::npos) return std::nullopt;
  decoded.resize(static_cast<std::size_t>(length) - padding);
  return decoded;
}

std::optional<std::string> Decrypt(const ColumnParts& parts, const std::string& key) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                EVP_CIPHER_CTX_free);
  CHECK(context != nullptr);
  EVP_CIPHER_CTX* c = context.get();
  const std::string_view text = std::string_view(parts.sealed).substr(0, parts.sealed.size() - kTag);
  std::string tag = parts.sealed.substr(text.size());
  std::string plain(text.size(), '\0');
  auto* out = reinterpret_cast<unsigned char*>(plain.data());
  int written = 0;
  CHECK(EVP_DecryptInit_ex(c, EVP_aes_256_gcm(), nullptr, Bytes(key), Bytes(parts.nonce)) == 1);
  CHECK(EVP_DecryptUpdate(c, out, &written, Bytes(text), static_cast<int>(text.size())) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_TAG, kTag, tag.data()) == 1);
  int rest = 0;
  if (EVP_DecryptFinal_ex(c, out + written, &rest) != 1) return std::nullopt;
  return plain;
}

}  // namespace

Result<ColumnParts> TakeApart(std::string_view column) {
  ColumnParts parts;
  const std::string_view encoding = column.substr(0, 2);
  if (encoding == "00") {
    parts.plain = column.substr(2);
    return parts;
  }
  if (column.empty() || column[0] < '0' || column[0] > '9') {
    parts.plain = column;
    return parts;
  }
  if (encoding != "01" && encoding != "02") {
    return InvalidArgument("it begins with " + wire::Shown(encoding) +
                           ", which is no encoding of Diego's (00, 01, 02)");
  }
  auto decoded = DecodeBase64(column.substr(2));
  if (!decoded) return InvalidArgument("it is no base64: damaged, or cut off");
  if (encoding == "01") {
    parts.plain = *std::move(decoded);
    return parts;
  }
  const std::size_t label = decoded->empty() ? 0 : static_cast<unsigned char>((*decoded)[0]);
  if (label == 0 || decoded->size() < 1 + label + kNonce + kTag) {
    return InvalidArgument("it is cut off: " + std::to_string(decoded->size()) +
                           " bytes hold no key label, nonce and tag of an encrypted blob");
  }
  parts.label = decoded->substr(1, label);
  parts.nonce = decoded->substr(1 + label, kNonce);
  parts.sealed = decoded->substr(1 + label + kNonce);
  return parts;
}

Result<std::string> ColumnOpener::Open(std::string_view column) {
  auto parts = TakeApart(column);
  if (!parts) return parts.error();
  if (parts->label.empty()) return std::move(parts->plain);
  const std::string* key = keys_.Find(parts->label);
  if (!key)
    return InvalidArgument("it is encrypted with key label " + wire::Shown(parts->label) +
                           ", which is not among the keys");
  auto opened = Decrypt(*parts, *key);
  Count& count = counts_[parts->label];
  ++(opened ? count.opened : count.failed);
  if (opened) return *std::move(opened);
  return InvalidArgument("it does not open with key label " + wire::Shown(parts->label) +
                         ": damaged, or sealed with another passphrase");
}

Status ColumnOpener::OpenMessage(std::string_view column, google::protobuf::MessageLite& message) {
  const auto opened = Open(column);
  if (!opened) return opened.error();
  if (opened->size() < 2 || (*opened)[0] != kProto)
    return InvalidArgument("it holds no protobuf message in Diego's envelope");
  google::protobuf::LogSilencer silence;  // what it would say goes into the error
  if (message.ParseFromArray(opened->data() + 2, static_cast<int>(opened->size()) - 2)) return Done{};
  return InvalidArgument("it is no " + message.GetTypeName().substr(message.GetTypeName().rfind('.') + 1) +
                         " message: its bytes do not parse, or a text in it is not UTF-8");
}

}  // namespace baton::adopt
