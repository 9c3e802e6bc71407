#include "orchestrator/crypto/envelope.h"

#include "orchestrator/base/check.h"

namespace baton {
namespace {

constexpr std::string_view kMagic = "BT";
constexpr std::size_t kHeader = 4;

}  // namespace

Error BlobError(const BlobPlace& place, const std::string& what) {
  return {ErrorKind::kDataLoss,
          std::string(place.table) + "." + std::string(place.column) + " of " + std::string(place.key) + ": " + what,
          {}};
}

std::string EnvelopeBegin(std::string_view label) {
  CHECK(label.size() < 256);
  std::string begin(kMagic);
  begin.push_back(label.empty() ? kPlainFormat : kSealedFormat);
  if (label.empty()) return begin;  // a plain one's label means nothing
  begin.push_back(static_cast<char>(label.size()));
  return begin.append(label);
}

std::string PlainBlob(std::string_view payload) {
  std::string blob = EnvelopeBegin({});
  blob.reserve(kHeader + payload.size());
  blob.push_back('\0');  // no label
  return blob.append(payload);
}

Result<BlobInfo> InspectBlob(const BlobPlace& place, std::string_view sealed) {
  if (sealed.size() < kHeader || sealed.substr(0, kMagic.size()) != kMagic) return BlobError(place, "it is no envelope");
  const std::size_t label_bytes = static_cast<unsigned char>(sealed[3]);
  if (sealed.size() < kHeader + label_bytes) return BlobError(place, "the envelope is cut off");
  BlobInfo info;
  info.format = sealed[2];
  info.label = sealed.substr(kHeader, label_bytes);
  info.payload_bytes = sealed.size() - kHeader - label_bytes;
  if (info.format != kPlainFormat && info.format != kSealedFormat) {
    return BlobError(place, "its format is newer than this program knows");
  }
  return info;
}

}  // namespace baton
