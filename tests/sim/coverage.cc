#include "tests/sim/coverage.h"

#include <iomanip>
#include <sstream>

#include "orchestrator/model/names.h"

namespace baton::sim {
namespace {

constexpr std::array<std::string_view, kPhases> kPhaseNames = {"settled", "rolling",      "paused",
                                                               "held",    "rolling back", "removed"};
constexpr std::array<std::string_view, kHappenings> kNames = {"desire",
                                                              "update",
                                                              "update to the same",
                                                              "scale",
                                                              "map routes",
                                                              "pause",
                                                              "resume",
                                                              "cancel",
                                                              "retry",
                                                              "undo",
                                                              "promote",
                                                              "remove",
                                                              "retire",
                                                              "claim",
                                                              "start",
                                                              "crash",
                                                              "stopped",
                                                              "forgotten",
                                                              "no room",
                                                              "rejected",
                                                              "applied",
                                                              "drained",
                                                              "verdict",
                                                              "late report",
                                                              "cell drains",
                                                              "cell dies",
                                                              "cell returns",
                                                              "link breaks",
                                                              "leader crashes",
                                                              "leader paused",
                                                              "dies in statement",
                                                              "paused in one",
                                                              "deadlock",
                                                              "commit lost",
                                                              "answer lost"};

// A removed app has no active definition that could be asked for again, and nothing that could be placed: its UNCLAIMED
// rows went with it. A rejection would have to cross the removal on its way, within some 50 ms: too seldom to wait for.
bool Possible(std::size_t happening, std::size_t phase) {
  if (phase != static_cast<std::size_t>(Phase::kRemoved)) return true;
  return happening != static_cast<std::size_t>(Happening::kNoRoom) &&
         happening != static_cast<std::size_t>(Happening::kRejected) &&
         happening != static_cast<std::size_t>(Happening::kUpdateToTheSame);
}

template <class Visit>
void ForEachPair(Visit visit) {
  for (std::size_t happening = 0; happening < kHappenings; ++happening) {
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      if (Possible(happening, phase)) visit(happening, phase);
    }
  }
}

}  // namespace

Phase PhaseOf(const AppState& app) {
  if (!app.desired) return Phase::kRemoved;
  if (!app.roll) return Phase::kSettled;
  switch (app.roll->state) {
    case RollState::kPaused: return Phase::kPaused;
    case RollState::kHeld: return Phase::kHeld;
    case RollState::kRollingBack: return Phase::kRollingBack;
    default: return Phase::kRolling;
  }
}

void Coverage::CountReport(Phase phase, std::string_view name) {
  constexpr std::pair<std::string_view, Happening> kReports[] = {
      {"claim", Happening::kClaim},     {"start", Happening::kStart},         {"crash", Happening::kCrash},
      {"stopped", Happening::kStopped}, {"forgotten", Happening::kForgotten}, {"placement error", Happening::kNoRoom},
      {"reject", Happening::kRejected},
      {"applied", Happening::kApplied}, {"drained", Happening::kDrained},     {"verdict", Happening::kVerdict}};
  if (name.ends_with(" (late)")) return Count(phase, Happening::kLate);
  for (const auto& [report, happening] : kReports) {
    if (name == report) return Count(phase, happening);
  }
}

void Coverage::Add(const Coverage& other) {
  for (std::size_t h = 0; h < kHappenings; ++h) {
    for (std::size_t p = 0; p < kPhases; ++p) counts_[h][p] += other.counts_[h][p];
  }
  for (std::size_t s = 0; s < ends_.size(); ++s) ends_[s] += other.ends_[s];
}

std::string Coverage::Text() const {
  std::ostringstream out;
  out << std::left << std::setw(20) << "met" << std::right;
  for (const std::string_view phase : kPhaseNames) out << std::setw(14) << phase;
  out << "\n";
  for (std::size_t h = 0; h < kHappenings; ++h) {
    out << std::left << std::setw(20) << kNames[h] << std::right;
    for (std::size_t p = 0; p < kPhases; ++p) {
      out << std::setw(14) << (Possible(h, p) ? std::to_string(counts_[h][p]) : "-");
    }
    out << "\n";
  }
  out << "rolls that became";
  for (std::size_t s = 0; s < ends_.size(); ++s) {
    if (ends_[s] > 0) out << " " << Name(static_cast<RollState>(s)) << " " << ends_[s];
  }
  return out.str() + "\n";
}

std::string Coverage::Unmet() const {
  std::string unmet;
  ForEachPair([&](std::size_t h, std::size_t p) {
    if (counts_[h][p] == 0)
      unmet += "never met: " + std::string(kNames[h]) + " while " + std::string(kPhaseNames[p]) + "\n";
  });
  return unmet;
}

std::size_t Coverage::pairs() const {
  std::size_t pairs = 0;
  ForEachPair([&](std::size_t, std::size_t) { ++pairs; });
  return pairs;
}

}  // namespace baton::sim
