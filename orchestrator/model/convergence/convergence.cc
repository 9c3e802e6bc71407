#include "orchestrator/model/convergence/convergence.h"

#include <array>

namespace baton {
namespace {

constexpr std::array<CategoryInfo, kCategories> kInfos = {{
    {"expired_domain", true},      {"stale_unclaimed", true},
    {"restartable_crashed", true}, {"missing_cell", true},
    {"cell_back", true},           {"missing_instance", true},
    {"extra_instance", true},      {"orphaned", true},
    {"orphaned_suspect", true},    {"extra_suspect", true},
    {"stale_routes", true},        {"stale_claimed", true},
    {"evacuated_enough", true},    {"collectable_definition", true},
    {"undriven_roll", true},       {"unproven_app", true},
    {"stuck_retiring", true},      {"overdue_stop", false},
    {"gone_consumer", true},       {"stale_domain_orphan", false},
    {"given_up", false},           {"silent_cell", true},
    {"cell_out_of_step", true},    {"broken_reference", false},
    {"unreadable_row", false},     {"unserved_route", false},
    {"held_roll", false},
}};

}  // namespace

const CategoryInfo& InfoOf(Category category) { return kInfos.at(static_cast<std::size_t>(category)); }

}  // namespace baton
