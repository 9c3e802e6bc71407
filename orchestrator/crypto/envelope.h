// How every blob in the database is wrapped: magic, format, key label, payload. Format 1 is plain, format 2 is sealed by
// the key of its label; a blob says by itself which one it is, so both can lie beside each other.
//   'B' 'T'  1  label length(1 byte)  label  payload
//   'B' 'T'  2  label length(1 byte)  label  nonce(12)  ciphertext  tag(16)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "orchestrator/base/result.h"

namespace baton {

inline constexpr char kPlainFormat = 1;
inline constexpr char kSealedFormat = 2;

// Where a blob belongs: bound to it when it is sealed, so that one moved elsewhere does not open. The key's parts are
// joined by '/', which no name may contain.
struct BlobPlace {
  std::string_view table;
  std::string_view column;
  std::string_view key;  // the row's, as orchestrator/crypto/encrypted_columns.h has it
};

struct BlobInfo {
  int format = 0;
  std::string label;
  std::size_t payload_bytes = 0;  // with nonce and tag, where it is sealed
};

std::string PlainBlob(std::string_view payload);
// What every blob of this label begins with; an empty label: what every plain one does.
std::string EnvelopeBegin(std::string_view label);
// Without any key. An error names place and fault; the bytes themselves are never in it.
Result<BlobInfo> InspectBlob(const BlobPlace& place, std::string_view sealed);
// "table.column of key: what"
Error BlobError(const BlobPlace& place, const std::string& what);

}  // namespace baton
