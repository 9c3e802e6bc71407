// Who asked, as histories and the audit keep it: who it was by its certificate, and what it said that it is, in one text that cannot be
// taken for another: "cell/cell-7 (said: ann)", or "web/dashboard+operator/alice (said: ann)".
#pragma once

#include <string>
#include <string_view>

namespace baton {

struct Actor {
  std::string identity;  // "cell/cell-7"; empty without authentication
  std::string said;      // anything
  std::string on_behalf = {};  // "operator/alice", where the identity is that of a page that called for her

  bool operator==(const Actor&) const = default;
};

// What was said alone stays as it is, unless it looks like the above.
std::string StoredActor(const Actor& actor);
Actor ReadActor(std::string_view stored);

}  // namespace baton
