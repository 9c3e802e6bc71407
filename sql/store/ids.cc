#include "sql/store/ids.h"

#include <sys/random.h>

#include <algorithm>
#include <array>

#include "orchestrator/base/check.h"
#include "sql/session/session.h"

namespace baton {

std::string RandomUuid() {
  std::array<unsigned char, 16> bytes;
  CHECK(getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40);  // version 4
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80);  // RFC 4122
  std::string uuid;
  uuid.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (i == 4 || i == 6 || i == 8 || i == 10) uuid += '-';
    uuid += kDigits[bytes[i] >> 4];
    uuid += kDigits[bytes[i] & 15];
  }
  return uuid;
}

std::int64_t DatabaseIds::NewIncarnation() {
  CHECK(!incarnations_.empty());  // Fill has seen to it
  const std::int64_t next = incarnations_.back();
  incarnations_.pop_back();
  return next;
}

void DatabaseIds::Fill(Session& session, std::size_t count) {
  if (!Lacks(count)) return;
  // A block at a time: only a call that desires an app anew uses one.
  const Rows rows = session.Run("NextIncarnations", {std::to_string(std::max<std::size_t>(count, 64))});
  std::vector<std::int64_t> fresh;
  for (const auto row : rows) fresh.push_back(row.Int());
  incarnations_.insert(incarnations_.begin(), fresh.rbegin(), fresh.rend());  // the smallest is given out first
}

}  // namespace baton
