// What `baton describe` and `baton rollout status|explain` print: everything that is known, for people. `now`:
// nanoseconds since 1970.
#pragma once

#include <optional>
#include <string>

#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/definitions_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/rolls_service.pb.h"

namespace baton::cli {

struct AppDescription {
  v2::DesiredLRP app;
  v2::ListActualLRPsResponse instances;
  v2::ListDefinitionsResponse definitions;
  std::optional<v2::Roll> open_roll;
};
std::string Describe(const AppDescription& description, std::int64_t now);

// With its slots, what each waits for, and the steps where the answer holds them.
std::string Describe(const v2::GetRollResponse& answer, std::int64_t now);
std::string Describe(const v2::ActualLRP& lrp, std::int64_t now);
std::string Describe(const v2::Definition& definition, std::int64_t now);
// The cell and the instances on it.
std::string Describe(const v2::Cell& cell, const v2::ListActualLRPsResponse& instances, std::int64_t now);

// The reasons of ExplainRoll, the roll's own first, each with its rule, since when, and what unblocks it. `name`: what was
// asked for, an app without a roll perhaps.
std::string Explain(const v2::ExplainRollResponse& answer, const std::string& name, std::int64_t now);
// One instance, and those of its app's reasons that are of its slot.
std::string ExplainInstance(const v2::ActualLRP& lrp, const v2::ExplainRollResponse& app, std::int64_t now);

}  // namespace baton::cli
