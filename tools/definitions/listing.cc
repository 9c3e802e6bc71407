#include "tools/definitions/listing.h"

#include <yaml-cpp/yaml.h>

#include "orchestrator/base/check.h"
#include "orchestrator/model/names.h"
#include "tools/definitions/words.h"
#include "tools/words/table.h"
#include "tools/words/times.h"

namespace baton::definitions {
namespace {

using Json = nlohmann::ordered_json;

// An open list in the middle of an object: items follow, one definition a line.
class JsonListing final : public Listing {
 public:
  std::string Begin(TimePoint taken_at, int history) override {
    return "{\"taken_at\":\"" + Utc(taken_at) + "\",\"history\":" + std::to_string(history) + ",\"definitions\":[";
  }
  std::string Page(const std::vector<DefinitionRecord>& records) override {
    std::string text;
    for (const DefinitionRecord& record : records) {
      text += (first_ ? "\n" : ",\n") + Dump(AsJson(record), -1);
      first_ = false;
    }
    return text;
  }
  std::string End() override { return "\n]}\n"; }

 private:
  bool first_ = true;
};

class YamlListing final : public Listing {
 public:
  std::string Begin(TimePoint taken_at, int history) override {
    return "taken_at: \"" + Utc(taken_at) + "\"\nhistory: " + std::to_string(history) + "\ndefinitions:\n";
  }
  std::string Page(const std::vector<DefinitionRecord>& records) override {
    if (records.empty()) return "";
    any_ = true;
    Json list = Json::array();
    for (const DefinitionRecord& record : records) list.push_back(AsJson(record));
    return AsYaml(list);
  }
  std::string End() override { return any_ ? "" : "  []\n"; }

 private:
  bool any_ = false;
};

class TableListing final : public Listing {
 public:
  explicit TableListing(bool wide) : wide_(wide) {}
  // The heads wait for the first page, to stand over columns of its width.
  std::string Begin(TimePoint, int) override {
    rows_ = {{"APP", "DEFINITION", "HASH", "ROLES", "INSTANCES", "SIZE", "AGE"}};
    if (wide_) rows_[0].insert(rows_[0].end(), {"DOMAIN", "INCARNATION", "PROVEN", "HELD BY", "WHY"});
    return "";
  }
  std::string Page(const std::vector<DefinitionRecord>& records) override {
    for (const DefinitionRecord& record : records) rows_.push_back(RowOf(record));
    return End();
  }
  std::string End() override { return table_.Lines(std::exchange(rows_, {})); }

 private:
  std::vector<std::string> RowOf(const DefinitionRecord& r) const {
    std::vector<std::string> roles;
    for (const KeepReason reason : r.kept_for) roles.emplace_back(Name(reason));
    std::vector<std::string> row = {r.guid.str(),
                                    r.key.id.str(),
                                    wide_ ? r.content_hash : r.content_hash.substr(0, 12),
                                    r.collectable() ? "collectable" : Joined(roles, ", "),
                                    std::to_string(r.holders.size()),
                                    SizeText(r.size_bytes),
                                    AgeText(r.age)};
    if (!wide_) return row;
    std::vector<std::string> ids;
    for (const Holder& holder : r.holders) ids.push_back(holder.id.str());
    row.insert(row.end(), {r.domain, std::to_string(r.key.incarnation), r.proven_at ? Utc(*r.proven_at) : "",
                           Joined(ids, ","), r.why});
    return row;
  }

  bool wide_;
  std::vector<std::vector<std::string>> rows_;  // not printed yet
  PagedTable table_;
};

void Emit(YAML::Emitter& out, const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      out << YAML::BeginMap;
      for (const auto& [key, item] : value.items()) {
        out << YAML::Key << key << YAML::Value;
        Emit(out, item);
      }
      out << YAML::EndMap;
      return;
    case Json::value_t::array:
      if (value.empty()) out << YAML::Flow;
      out << YAML::BeginSeq;
      for (const Json& item : value) Emit(out, item);
      out << YAML::EndSeq;
      return;
    case Json::value_t::string:
      // Quoted always: an identifier "1" or "true" stays a text.
      out << YAML::DoubleQuoted << value.get<std::string>();
      return;
    case Json::value_t::null: out << YAML::Null; return;
    case Json::value_t::boolean: out << value.get<bool>(); return;
    default: out << value.dump(); return;
  }
}

}  // namespace

std::string Dump(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string AsYaml(const Json& value) {
  YAML::Emitter out;
  Emit(out, value);
  return std::string(out.c_str()) + "\n";
}

Json AsJson(const DefinitionRecord& r) {
  Json roles = Json::array();
  for (const KeepReason reason : r.kept_for) roles.push_back(Name(reason));
  if (r.collectable()) roles.push_back("collectable");
  Json holders = Json::array();
  for (const Holder& holder : r.holders) {
    holders.push_back({{"actual_id", holder.id.str()},
                       {"index", holder.index},
                       {"presence", Name(holder.presence)},
                       {"state", Name(holder.state)},
                       {"cell_id", holder.cell_id.str()},
                       {"placement_error", holder.placement_error}});
  }
  const auto optional = [](auto&& value) { return value ? Json(*value) : Json(); };
  return {{"process_guid", r.guid.str()},
          {"domain", r.domain},
          {"incarnation", r.key.incarnation},
          {"definition_identifier", r.key.id.str()},
          {"content_hash", r.content_hash},
          {"roles", roles},
          {"roll_id", r.roll_id.empty() ? Json() : Json(r.roll_id.str())},
          {"held_by", holders},
          {"history_until_newer", optional(r.goes_after)},
          {"why", r.why},
          {"created_at", Utc(r.created_at)},
          {"proven_at", r.proven_at ? Json(Utc(*r.proven_at)) : Json()},
          {"pinned", r.pinned},
          {"age_s", std::chrono::duration_cast<seconds>(r.age).count()},
          {"size_bytes", r.size_bytes}};
}

std::unique_ptr<Listing> MakeListing(const std::string& format) {
  if (format == "json") return std::make_unique<JsonListing>();
  if (format == "yaml") return std::make_unique<YamlListing>();
  CHECK(format == "table" || format == "wide");
  return std::make_unique<TableListing>(format == "wide");
}

}  // namespace baton::definitions
