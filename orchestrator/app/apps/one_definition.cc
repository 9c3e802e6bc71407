#include "orchestrator/app/apps/one_definition.h"

namespace baton {
namespace {

Error Refuse(const DataMode& data, const std::string& what) {
  return {ErrorKind::kFailedPrecondition,
          "the data is of schema " + data.semver + " still, where an app has one definition: " + what +
              " once it is switched to " + data.target_semver + " (baton admin upgrade-status)",
          {}};
}

}  // namespace

Status MayWrite(const DataMode& data, bool in_v1) {
  if (!data.one_definition || in_v1) return Done{};
  return Refuse(data, "baton.v2 can be read, baton.v1 goes on, and this can be written");
}

Status StaysTheSame(const DataMode& data, const DefinitionId& before, const DefinitionId& after) {
  if (!data.one_definition || before == after) return Done{};
  return Refuse(data, "it stays " + before.str() + ", and can become " + after.str());
}

}  // namespace baton
