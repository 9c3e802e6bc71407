// What this cell can enact and what it cannot: the words of CellHello.abilities.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "baton/v2/definition.pb.h"
#include "tools/cell/cell_options.h"

namespace baton::cell {

// As whom apps may run.
enum class Users {
  kOwn,         // as the cell itself, which is not root
  kAllButRoot,  // the cell is root, its apps never are
  kAll,         // --allow-root-apps
};

struct Means {
  std::vector<std::string> stacks;
  Users users = Users::kAllButRoot;
  bool file_urls = false;  // --download-dir is given
};

Means MeansOf(const CellOptions& options, bool is_root);

// "user" only where we can become another.
std::vector<std::string> Abilities(bool is_root);

// Why a cell of such means cannot run it; nothing: it can. The leader does not place such a one here; this is the
// second means. `egress_unenforced`: the operator lets it run although its egress rules are not enforced.
std::optional<std::string> CannotEnact(const v2::LRPDefinition& definition, const Means& means,
                                       bool egress_unenforced = false);

}  // namespace baton::cell
