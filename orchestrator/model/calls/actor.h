// A caller as histories and the audit store it: its certificate's identity and the name that it claims, in one
// unambiguous text: "cell/cell-7 (said: ann)", or "web/dashboard+operator/alice (said: ann)".
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
