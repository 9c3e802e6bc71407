// Which role may call which method: the options (baton.v2.access) of the .proto files, as values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/access/identity.h"

namespace baton {

enum class CallEffect {
  kReads,
  kReports,  // a cell or a router says what is so: no wish of anybody
  kChanges,  // what its caller asks for: it is in the audit, done or refused
};

struct MethodAccess {
  std::vector<Role> roles;
  std::vector<Role> within;  // let in only for a call of baton.v1, which was allowed by itself
  bool reveals = false;      // it can show secrets
  CallEffect effect = CallEffect::kReads;

  bool operator==(const MethodAccess&) const = default;
};

enum class Way { kFromOutside, kThroughV1 };
enum class AccessDecision { kAllowed, kOtherRole, kUnknownMethod };

class Policy {
 public:
  // By path, "/baton.v2.Admin/Ping".
  using Methods = std::map<std::string, MethodAccess, std::less<>>;

  explicit Policy(Methods methods) : methods_(std::move(methods)) {}

  // Methods that are not listed are denied to all roles.
  AccessDecision Decide(Role role, std::string_view path, Way way = Way::kFromOutside) const;

  const Methods& methods() const { return methods_; }

 private:
  Methods methods_;
};

// What of a request only some of those may say who may call the method.
// Secrets, by a method that can show them. Others are refused: an answer with fewer secrets than were asked for would be stored as if
// it were whole.
bool MayReveal(Role role);
// What an app wrote before it crashed.
bool MayReadLastWords(Role role);
// Work of batond's own (a convergence pass) begins.
bool MayStartWork(Role role);
// Removes the instance in a slot, whichever start that is.
bool MayRemoveUnnamed(Role role);

}  // namespace baton
