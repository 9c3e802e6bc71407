// The copy from 1.x to 2.0: app by app through Split, written as the store writes. The checkpoint is the last app done.
#pragma once

#include "schema/migrator/copier.h"

namespace baton {

// A row of it is an app's or an instance's; an app and its instances are always in one batch.
class LegacyCopier : public Copier {
 public:
  std::int64_t CountLeft(Session& session, const std::string& checkpoint) override;
  CopyBatch Next(Session& session, const std::string& checkpoint, int most) override;
};

}  // namespace baton
