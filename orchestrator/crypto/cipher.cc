#include "orchestrator/crypto/cipher.h"

#include "orchestrator/base/check.h"

namespace baton {
namespace {

void AddWithLength(std::string& text, std::string_view part) {
  const auto length = static_cast<std::uint32_t>(part.size());
  for (int shift = 24; shift >= 0; shift -= 8) text.push_back(static_cast<char>(length >> shift));
  text.append(part);
}

// What a sealed blob is bound to. Each part with its length: no two places read alike.
std::string BoundTo(const BlobPlace& place, std::string_view label) {
  std::string bound;
  bound.reserve(place.table.size() + place.column.size() + place.key.size() + label.size() + 17);
  for (const std::string_view part : {place.table, place.column, place.key, label}) AddWithLength(bound, part);
  bound.push_back(kSealedFormat);
  return bound;
}

}  // namespace

std::string SealUnder(const KeyRing& ring, std::string_view label, const BlobPlace& place, std::string_view payload) {
  const auto key = ring.TableKey(label, place.table);
  CHECK(key);
  return EnvelopeBegin(label) + crypto::Encrypt(*key, BoundTo(place, label), payload);
}

Result<std::string> OpenWith(const KeyRing* ring, const BlobPlace& place, std::string_view sealed) {
  const auto info = InspectBlob(place, sealed);
  if (!info) return info.error();
  const std::string_view payload = sealed.substr(sealed.size() - info->payload_bytes);
  if (info->format == kPlainFormat) {
    // One without a payload is plain under every key.
    if (payload.empty() || !ring || !ring->sealed_only()) return std::string(payload);
    return BlobError(place, "it is plain, and the key file says `sealed only`");
  }
  if (!IsKeyLabel(info->label)) return BlobError(place, "its key label is no label: the bytes are damaged");
  const auto key = ring ? ring->TableKey(info->label, place.table) : std::nullopt;
  if (!key) return BlobError(place, "it is sealed with key " + info->label + ", which is not among the keys given");
  auto opened = crypto::Decrypt(*key, BoundTo(place, info->label), payload);
  if (opened) return *std::move(opened);
  return BlobError(place, "it does not open with key " + info->label +
                              ": the bytes are damaged, belong elsewhere, or are another key's");
}

Result<std::string> Cipher::Seal(const BlobPlace& place, std::string_view payload) const {
  const auto use = this->use();
  if (!use->ring || use->ring->active().empty() || payload.empty()) return PlainBlob(payload);
  const std::int64_t left = --use->left;
  if (left + 1 == low_ && on_low_) on_low_();
  if (left >= 0) return SealUnder(*use->ring, use->ring->active(), place, payload);
  ++use->left;
  return Error{ErrorKind::kResourceExhausted,
               "key " + use->ring->active() + " has no use left: make another key active (a key may be used 2^32 times; "
               "`baton admin keys status` tells how often it was)",
               seconds(1)};
}

Result<std::string> Cipher::Open(const BlobPlace& place, std::string_view sealed) const {
  return OpenWith(use()->ring.get(), place, sealed);
}

std::shared_ptr<Cipher::Tenure> Cipher::use() const {
  const std::lock_guard lock(mutex_);
  return use_;
}

void Cipher::Use(std::shared_ptr<const KeyRing> ring, std::int64_t granted) {
  const auto use = std::make_shared<Tenure>();
  use->ring = std::move(ring);
  use->left = granted;
  const std::lock_guard lock(mutex_);
  use_ = use;
}

void Cipher::Grant(std::int64_t more) { use()->left += more; }

void Cipher::OnLow(std::int64_t below, std::function<void()> told) {
  low_ = below;
  on_low_ = std::move(told);
}

std::string Cipher::active() const {
  const auto ring = this->ring();
  return ring ? ring->active() : "";
}

const Cipher& PlainCipher() {
  static const Cipher kPlain;
  return kPlain;
}

}  // namespace baton
