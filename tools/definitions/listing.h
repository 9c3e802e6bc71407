// The list of definitions in one of its formats, written page by page: no page has to wait for another in memory.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/definitions/record.h"

namespace baton::definitions {

class Listing {
 public:
  virtual ~Listing() = default;
  // The text that comes first, for each page, and at the end.
  virtual std::string Begin(TimePoint taken_at, int history) = 0;
  virtual std::string Page(const std::vector<DefinitionRecord>& records) = 0;
  virtual std::string End() = 0;
};

// table, wide, json or yaml.
std::unique_ptr<Listing> MakeListing(const std::string& format);

nlohmann::ordered_json AsJson(const DefinitionRecord& record);
// Bytes that are no UTF-8 are replaced. `indent` -1: on one line.
std::string Dump(const nlohmann::ordered_json& value, int indent);
std::string AsYaml(const nlohmann::ordered_json& value);

}  // namespace baton::definitions
