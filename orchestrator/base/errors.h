// What several places answer a caller: each text stands here, once.
#pragma once

#include <string>
#include <utility>

#include "orchestrator/base/result.h"

namespace baton {

inline constexpr char kDatabaseAway[] = "the database does not answer";
inline constexpr char kAnotherLeads[] = "another batond leads now";
inline constexpr char kDoesNotLead[] = "this batond does not lead";  // the end of a stream
inline constexpr char kLeadsNoMore[] = "this batond leads no more";

// UNAVAILABLE, and soon worth another try.
inline Error Away(std::string message) { return {ErrorKind::kUnavailable, std::move(message), seconds(1)}; }

inline Error DatabaseAway() { return Away(kDatabaseAway); }
inline Error DatabaseAway(const std::string& why) { return Away(std::string(kDatabaseAway) + ": " + why); }
inline Error NotLeading() { return Away("this batond does not lead at the moment"); }

inline Error NoRollOf(const std::string& what) { return {ErrorKind::kNotFound, "there is no roll of " + what, {}}; }
inline Error NoDefinition(const std::string& identifier, const std::string& of) {
  return {ErrorKind::kNotFound, "there is no definition " + identifier + " of " + of + " (any more)", {}};
}

}  // namespace baton
