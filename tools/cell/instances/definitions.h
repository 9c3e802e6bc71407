// Definitions by content hash: asked for once, kept in memory and in DIR/definitions for the cell's next life.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "baton/v2/definition.pb.h"
#include "orchestrator/base/result.h"
#include "tools/cell/instances/record.h"

namespace baton::cell {

using DefinitionPtr = std::shared_ptr<const v2::LRPDefinition>;

// It is what the order means: computed, because the field would say so of any other content, too.
bool IsContent(const v2::LRPDefinition& definition, const std::string& content_hash);

class Definitions {
 public:
  static constexpr std::size_t kKeptMax = 200;

  // The folder is made with mode 0700: definitions hold secrets.
  explicit Definitions(std::string dir);

  // Nothing: it is not here.
  DefinitionPtr Find(const std::string& content_hash);
  // When there are too many the ones not in `in_use` go.
  DefinitionPtr Keep(v2::LRPDefinition definition, const std::set<std::string>& in_use);

 private:
  std::string PathOf(const std::string& content_hash) const;
  void Trim(const std::set<std::string>& in_use);

  std::string dir_;
  std::map<std::string, DefinitionPtr> known_;
};

}  // namespace baton::cell
