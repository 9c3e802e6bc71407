#include "schema/migrator/from_legacy.h"

#include "orchestrator/base/check.h"
#include "schema/layouts.h"
#include "schema/legacy/copier.h"

namespace baton {
namespace {

constexpr char kLater[] = "legacy-1.1";
constexpr char kTarget[] = "target-shape";
constexpr char kApps[] = "LegacyApps";
constexpr char kGone[] = "legacy-gone";

}  // namespace

const Migration& FromLegacy() {
  static const Migration kMigration{.version = kFromLegacy,
                                    .file = {},
                                    .checksum = {},
                                    .semver = {},
                                    .steps = {{PartKind::kExpand, kLater, {}},
                                              {PartKind::kExpand, kTarget, {}},
                                              {PartKind::kCopy, kApps, {}},
                                              {PartKind::kContract, kGone, {}}}};
  return kMigration;
}

void RunFromLegacy(Session& session, const MigrationStep& step) {
  if (step.name == kLater) return FinishLegacyLayout(session);
  if (step.name == kTarget) return MakeTargetShape(session);
  CHECK(step.name == kGone);
  DropLegacyShape(session);
}

std::unique_ptr<Copier> LegacyCopierOf(const std::string& name) {
  if (name != kApps) return nullptr;
  return std::make_unique<LegacyCopier>();
}

}  // namespace baton
