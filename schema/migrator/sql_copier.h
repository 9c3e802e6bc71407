// A copy that is one statement of sql/statements/migrate.sql and the count that goes with it.
#pragma once

#include <string>
#include <utility>

#include "schema/migrator/copier.h"

namespace baton {

class SqlCopier final : public Copier {
 public:
  explicit SqlCopier(std::string statement) : statement_(std::move(statement)) {}

  std::int64_t CountLeft(Session& session, const std::string& checkpoint) override;
  CopyBatch Next(Session& session, const std::string& checkpoint, int most) override;

 private:
  std::string statement_;
};

}  // namespace baton
