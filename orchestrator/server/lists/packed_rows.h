// Rows of a list, compressed: apps are much alike, and a thousand of them become a tenth (LZ4).
#pragma once

#include <cstddef>
#include <string>

#include "orchestrator/server/lists/listed_row.h"

namespace baton {

class PackedRows {
 public:
  explicit PackedRows(const ListedRows& rows);

  ListedRows Unpack() const;
  std::size_t bytes() const { return packed_.size(); }

 private:
  std::size_t count_;
  std::size_t plain_bytes_;
  std::string packed_;
};

// What they take before they are packed.
std::size_t BytesOf(const ListedRows& rows);

}  // namespace baton
