#include "orchestrator/transform/services/unreadable_rows.h"

#include "orchestrator/model/calls/wire_names.h"

namespace baton::transform {
namespace {

constexpr std::size_t kNamedMax = 5;
constexpr std::size_t kBytesMax = 2'000;  // clients take 8 KiB of metadata in all

bool Stays(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == ':';
}

std::string PercentEncoded(const std::string& text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (Stays(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += {'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return encoded;
}

}  // namespace

void UnreadableRows::Add(const std::string& row) {
  if (++count_ > kNamedMax) return;
  const std::string name = " " + PercentEncoded(row);
  if (named_.size() + name.size() > kBytesMax) return;
  named_ += name;
  for_people_ += (for_people_.empty() ? "" : ", ") + row;
}

grpc::Status UnreadableRows::AsStatus() const {
  return {grpc::StatusCode::DATA_LOSS,
          std::to_string(count_) + (count_ == 1 ? " row" : " rows") +
              " cannot be read and are not in this answer, all others are: " + for_people_ +
              (count_ > kNamedMax ? ", ..." : "") + " (`baton-definitions --check` says why)"};
}

std::string UnreadableRows::Text() const { return count_ == 0 ? std::string() : std::to_string(count_) + named_; }

void UnreadableRows::AddTrailer(grpc::CallbackServerContext& context) const {
  if (count_ > 0) context.AddTrailingMetadata(kUnreadableTrailer, Text());
}

}  // namespace baton::transform
