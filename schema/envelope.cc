#include "schema/envelope.h"

namespace baton {
namespace {

constexpr std::string_view kMagic = "BT";
constexpr char kPlain = 1;
constexpr std::size_t kHeader = 4;

Error Broken(const BlobPlace& place, const char* what) {
  return {ErrorKind::kInternal,
          std::string(place.table) + "." + std::string(place.column) + " of " + std::string(place.key) + ": " + what};
}

}  // namespace

std::string SealBlob(const BlobPlace&, std::string_view payload) {
  std::string sealed;
  sealed.reserve(kHeader + payload.size());
  sealed.append(kMagic).push_back(kPlain);
  sealed.push_back('\0');  // no label
  sealed.append(payload);
  return sealed;
}

Result<BlobInfo> InspectBlob(const BlobPlace& place, std::string_view sealed) {
  if (sealed.size() < kHeader || sealed.substr(0, kMagic.size()) != kMagic) return Broken(place, "it is no envelope");
  const std::size_t label_bytes = static_cast<unsigned char>(sealed[3]);
  if (sealed.size() < kHeader + label_bytes) return Broken(place, "the envelope is cut off");
  BlobInfo info;
  info.format = sealed[2];
  info.label = sealed.substr(kHeader, label_bytes);
  info.payload_bytes = sealed.size() - kHeader - label_bytes;
  if (info.format != kPlain) return Broken(place, "its format is newer than this program knows");
  return info;
}

Result<std::string> OpenBlob(const BlobPlace& place, std::string_view sealed) {
  const auto info = InspectBlob(place, sealed);
  if (!info) return info.error();
  return std::string(sealed.substr(sealed.size() - info->payload_bytes));
}

}  // namespace baton
