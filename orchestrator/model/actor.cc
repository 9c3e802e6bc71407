#include "orchestrator/model/actor.h"

namespace baton {
namespace {

constexpr std::string_view kSaid = " (said: ";
constexpr char kEnd = ')';

}  // namespace

std::string StoredActor(const Actor& actor) {
  if (actor.identity.empty() && ReadActor(actor.said) == Actor{{}, actor.said}) return actor.said;
  return actor.identity + std::string(kSaid) + actor.said + kEnd;
}

// The first mark counts: an identity has no space in it, and what was said may hold anything.
Actor ReadActor(std::string_view stored) {
  const std::size_t mark = stored.find(kSaid);
  const std::size_t space = stored.find(' ');
  if (mark == stored.npos || space < mark || !stored.ends_with(kEnd)) return {{}, std::string(stored)};
  const std::size_t begin = mark + kSaid.size();
  return {std::string(stored.substr(0, mark)), std::string(stored.substr(begin, stored.size() - begin - 1))};
}

}  // namespace baton
