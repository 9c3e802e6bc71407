#include "orchestrator/server/lists/packed_rows.h"

#include <lz4.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

// A row is the lengths of its four texts, and then the texts.
using Lengths = std::array<std::uint32_t, 4>;

std::array<std::string_view, 4> TextsOf(const ListedRow& row) {
  return {row.place.guid.str(), row.place.id.str(), row.domain, row.message};
}

class Cutter {
 public:
  explicit Cutter(std::string_view plain) : rest_(plain) {}

  ListedRow Next() {
    Lengths lengths;
    CHECK(rest_.size() >= sizeof lengths);
    std::memcpy(lengths.data(), rest_.data(), sizeof lengths);
    rest_.remove_prefix(sizeof lengths);
    ListedRow row;
    row.place.guid = ProcessGuid(Text(lengths[0]));
    row.place.id = ActualId(Text(lengths[1]));
    row.domain = Text(lengths[2]);
    row.message = Text(lengths[3]);
    return row;
  }

 private:
  std::string Text(std::uint32_t length) {
    CHECK(rest_.size() >= length);
    std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }
  std::string_view rest_;
};

std::string Plain(const ListedRows& rows) {
  std::string plain;
  plain.reserve(BytesOf(rows));
  for (const ListedRow& row : rows) {
    const auto texts = TextsOf(row);
    Lengths lengths;
    for (std::size_t i = 0; i < texts.size(); ++i) lengths[i] = static_cast<std::uint32_t>(texts[i].size());
    plain.append(reinterpret_cast<const char*>(lengths.data()), sizeof lengths);
    for (const std::string_view text : texts) plain.append(text);
  }
  return plain;
}

}  // namespace

std::size_t BytesOf(const ListedRows& rows) {
  std::size_t bytes = 0;
  for (const ListedRow& row : rows) {
    bytes += sizeof(Lengths);
    for (const std::string_view text : TextsOf(row)) bytes += text.size();
  }
  return bytes;
}

PackedRows::PackedRows(const ListedRows& rows) : count_(rows.size()) {
  const std::string plain = Plain(rows);
  plain_bytes_ = plain.size();
  CHECK(plain.size() <= LZ4_MAX_INPUT_SIZE);
  const int most = LZ4_compressBound(static_cast<int>(plain.size()));
  std::string packed(static_cast<std::size_t>(most), '\0');
  const int size = LZ4_compress_default(plain.data(), packed.data(), static_cast<int>(plain.size()), most);
  CHECK(size > 0);
  packed_.assign(packed, 0, static_cast<std::size_t>(size));  // not its room
}

ListedRows PackedRows::Unpack() const {
  std::string plain(plain_bytes_, '\0');
  const int size = LZ4_decompress_safe(packed_.data(), plain.data(), static_cast<int>(packed_.size()),
                                       static_cast<int>(plain.size()));
  CHECK(static_cast<std::size_t>(size) == plain_bytes_);
  ListedRows rows;
  rows.reserve(count_);
  Cutter cutter(plain);
  for (std::size_t i = 0; i < count_; ++i) rows.push_back(cutter.Next());
  return rows;
}

}  // namespace baton
