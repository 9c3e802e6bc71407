// A row of a list as answers have it: its message, encoded, without secrets.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/ports/reader.h"

namespace baton {

struct ListedRow {
  ListPlace place;
  std::string domain;
  std::string message;

  bool operator==(const ListedRow&) const = default;
};

// In the order of their places.
using ListedRows = std::vector<ListedRow>;

}  // namespace baton
