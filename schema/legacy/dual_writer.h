// Writes each batch to the rows of 1.x as well, in the same transaction as those of 2.x. The number of statements is
// bounded, whatever the batch's size.
//
// 1.x has no place for instances of an app that is no longer desired: they leave it with the app, and 2.x alone knows
// of them until they are gone. An app whose active definition cannot be opened is left as it is in 1.x, so that the
// other apps of the batch go on; a comparison names it (schema/legacy/compare.h).
#pragma once

#include "sql/store/dual_writer.h"

namespace baton {

// Without a state of its own: several threads may share one.
class LegacyDualWriter final : public DualWriter {
 public:
  void Write(Session& session, const BatchChanges& batch, const std::set<ProcessGuid>& whole) override;
  void WriteDomain(Session& session, const std::string& domain) override;
};

}  // namespace baton
