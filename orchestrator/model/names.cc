#include "orchestrator/model/names.h"

#include <array>
#include <cstddef>

namespace baton {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, kRollStates> kRollStateNames = {
    "QUEUED",      "ROLLING",    "PAUSED", "HELD", "ROLLING_BACK", "COMPLETED", "COMPLETED_WITH_GAPS",
    "ROLLED_BACK", "SUPERSEDED", "YIELDED"};
constexpr std::array<std::string_view, 14> kStepKindNames = {
    "opened",         "surged",    "replaced",     "filled",  "repaired", "proven",     "handed_over",
    "attempt_failed", "withdrawn", "stop_ordered", "retired", "trimmed",  "evacuating", "state"};
constexpr std::array<std::string_view, 5> kPresenceNames = {"ORDINARY", "SURGE", "SUSPECT", "EVACUATING", "RETIRING"};
constexpr std::array<std::string_view, 4> kLrpStateNames = {"UNCLAIMED", "CLAIMED", "RUNNING", "CRASHED"};

template <class E, std::size_t N>
std::optional<E> Parse(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view Name(RollState state) { return kRollStateNames.at(static_cast<std::size_t>(state)); }
std::string_view Name(StepKind kind) { return kStepKindNames.at(static_cast<std::size_t>(kind)); }
std::string_view Name(Presence presence) { return kPresenceNames.at(static_cast<std::size_t>(presence)); }
std::string_view Name(LrpState state) { return kLrpStateNames.at(static_cast<std::size_t>(state)); }

std::string_view Name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalidArgument: return "INVALID_ARGUMENT";
    case ErrorKind::kNotFound: return "NOT_FOUND";
    case ErrorKind::kAlreadyExists: return "ALREADY_EXISTS";
    case ErrorKind::kFailedPrecondition: return "FAILED_PRECONDITION";
    case ErrorKind::kOutOfRange: return "OUT_OF_RANGE";
    case ErrorKind::kAborted: return "ABORTED";
    case ErrorKind::kResourceExhausted: return "RESOURCE_EXHAUSTED";
    case ErrorKind::kUnavailable: return "UNAVAILABLE";
    case ErrorKind::kDataLoss: return "DATA_LOSS";
    case ErrorKind::kInternal: return "INTERNAL";
  }
  return "INTERNAL";
}

std::optional<RollState> ParseRollState(std::string_view name) { return Parse<RollState>(kRollStateNames, name); }
std::optional<StepKind> ParseStepKind(std::string_view name) { return Parse<StepKind>(kStepKindNames, name); }
std::optional<Presence> ParsePresence(std::string_view name) { return Parse<Presence>(kPresenceNames, name); }
std::optional<LrpState> ParseLrpState(std::string_view name) { return Parse<LrpState>(kLrpStateNames, name); }

}  // namespace baton
