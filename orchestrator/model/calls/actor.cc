#include "orchestrator/model/calls/actor.h"

#include <algorithm>

namespace baton {
namespace {

constexpr std::string_view kSaid = " (said: ";
constexpr char kEnd = ')';
constexpr char kFor = '+';  // no part of an identity

}  // namespace

std::string StoredActor(const Actor& actor) {
  if (actor.identity.empty() && ReadActor(actor.said) == Actor{{}, actor.said}) return actor.said;
  const std::string whom = actor.on_behalf.empty() ? "" : kFor + actor.on_behalf;
  return actor.identity + whom + std::string(kSaid) + actor.said + kEnd;
}

// The first mark counts: an identity has no space in it, and what was said may hold anything.
Actor ReadActor(std::string_view stored) {
  const std::size_t mark = stored.find(kSaid);
  const std::size_t space = stored.find(' ');
  if (mark == stored.npos || space < mark || !stored.ends_with(kEnd)) return {{}, std::string(stored)};
  const std::size_t begin = mark + kSaid.size();
  const std::string_view who = stored.substr(0, mark);
  const std::size_t whom = std::min(who.find(kFor), who.size());
  return {std::string(who.substr(0, whom)), std::string(stored.substr(begin, stored.size() - begin - 1)),
          std::string(who.substr(std::min(whom + 1, who.size())))};
}

}  // namespace baton
