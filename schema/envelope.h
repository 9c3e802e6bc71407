// How every blob in the database is wrapped: magic, format, key label, payload. Format 1 is plain; encryption is
// another format with a label, and a blob says by itself which one it is, so both can lie beside each other.
//   'B' 'T'  format(1 byte)  label length(1 byte)  label  payload
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "orchestrator/model/result.h"

namespace baton {

// Where a blob belongs: bound to it when it is encrypted, so that one moved elsewhere does not open.
struct BlobPlace {
  std::string_view table;
  std::string_view column;
  std::string_view key;  // the row's primary key
};

struct BlobInfo {
  int format = 0;
  std::string label;
  std::size_t payload_bytes = 0;
};

std::string SealBlob(const BlobPlace& place, std::string_view payload);
// An error names place and fault; the bytes themselves are never in it.
Result<std::string> OpenBlob(const BlobPlace& place, std::string_view sealed);
Result<BlobInfo> InspectBlob(const BlobPlace& place, std::string_view sealed);

}  // namespace baton
