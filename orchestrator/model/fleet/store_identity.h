// Which store a leader leads: its database's own name, and the names of those in whose place an operator has accepted it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace baton {

struct StoreIdentity {
  std::string id;                     // empty: of a time before stores had names
  std::vector<std::string> accepted;  // it is theirs, too

  // Whether who obeyed the leaders of `store` may obey those of this one. Empty: it obeyed none so far.
  bool StandsFor(const std::string& store) const {
    return id.empty() || store.empty() || store == id ||
           std::find(accepted.begin(), accepted.end(), store) != accepted.end();
  }
};

}  // namespace baton
