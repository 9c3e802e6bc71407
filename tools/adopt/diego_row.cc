#include "tools/adopt/diego_row.h"

#include <nlohmann/json.hpp>

#include "orchestrator/wire/limits/text.h"

namespace baton::adopt {
namespace {

using Json = nlohmann::json;

// The columns of one row; the first fault is kept.
class Columns {
 public:
  Columns(const std::string& row, ColumnOpener& opener)
      : row_(Json::parse(row, nullptr, /*allow_exceptions=*/false)), opener_(opener) {
    if (!row_.is_object()) Fail("the row", "a text in it is not UTF-8");
  }

  std::string Text(const char* column) {
    const Json* value = Find(column);
    return value && value->is_string() ? value->get<std::string>() : "";
  }
  std::int64_t Int(const char* column) {
    const Json* value = Find(column);
    return value && value->is_number_integer() ? value->get<std::int64_t>() : 0;
  }
  std::optional<bool> Bool(const char* column) {
    const Json* value = Find(column);
    return value && value->is_boolean() ? std::optional<bool>(value->get<bool>()) : std::nullopt;
  }
  std::string Required(const char* column) {
    std::string text = Text(column);
    if (text.empty()) Fail(column, Find(column) ? "it is empty" : "it is NULL");
    return text;
  }
  std::int64_t RequiredInt(const char* column) {
    if (!Find(column)) Fail(column, "it is NULL");
    return Int(column);
  }
  // Nothing in an optional column leaves the message as it is.
  void Message(const char* column, google::protobuf::MessageLite& message) {
    const std::string text = Text(column);
    if (text.empty()) return;
    if (const Status status = opener_.OpenMessage(text, message); !status) Fail(column, status.error().message);
  }
  // The text of JSON; "null" where there is nothing.
  std::string JsonText(const char* column) {
    const std::string text = Text(column);
    if (text.empty()) return "null";
    auto opened = opener_.Open(text);
    if (opened) return *std::move(opened);
    Fail(column, opened.error().message);
    return "null";
  }
  void Fail(const std::string& column, const std::string& what) {
    if (fault_.empty()) fault_ = column + ": " + what;
  }
  const std::string& fault() const { return fault_; }

 private:
  const Json* Find(const char* column) const {
    if (!row_.is_object()) return nullptr;
    const auto found = row_.find(column);
    return found == row_.end() || found->is_null() ? nullptr : &*found;
  }

  Json row_;
  ColumnOpener& opener_;
  std::string fault_;
};

void TakeRoutes(Columns& columns, v1::ProtoRoutes& routes) {
  const std::string text = columns.JsonText("routes");
  if (text == "null") return;
  const auto members = MembersOf(text);
  if (!members) return columns.Fail("routes", "it is no JSON object of router to routes");
  for (const auto& [router, payload] : *members) (*routes.mutable_routes())[router] = payload;
}

// {"NAME": {"static": "..."}} or {"NAME": {"dynamic": "INDEX"}}, the number instead of the name too.
bool TakeTag(const Json& json, v1::MetricTagValue& value) {
  if (!json.is_object()) return false;
  if (json.contains("static")) {
    if (!json["static"].is_string()) return false;
    value.set_static_(json["static"].get<std::string>());
  }
  if (!json.contains("dynamic")) return true;
  const Json& dynamic = json["dynamic"];
  v1::MetricTagValue::DynamicValue parsed = v1::MetricTagValue::DynamicValueInvalid;
  if (dynamic.is_string()) {
    if (!v1::MetricTagValue::DynamicValue_Parse(dynamic.get<std::string>(), &parsed)) return false;
  } else if (dynamic.is_number_integer() && v1::MetricTagValue::DynamicValue_IsValid(dynamic.get<int>())) {
    parsed = static_cast<v1::MetricTagValue::DynamicValue>(dynamic.get<int>());
  } else {
    return false;
  }
  value.set_dynamic(parsed);
  return true;
}

std::optional<LegacyTags> TagsOf(Columns& columns, bool of_app) {
  const Json json = Json::parse(columns.JsonText("metric_tags"), nullptr, /*allow_exceptions=*/false);
  if (json.is_null()) return std::nullopt;
  LegacyTags tags;
  bool fits = json.is_object();
  for (auto tag = json.begin(); fits && tag != json.end(); ++tag) {
    if (of_app) {
      fits = TakeTag(*tag, tags[tag.key()]);
    } else if (tag->is_string()) {
      tags[tag.key()].set_static_(tag->get<std::string>());
    } else {
      fits = false;
    }
  }
  if (!fits) columns.Fail("metric_tags", "it is no JSON object of tags");
  return tags;
}

std::vector<std::string> PlacementTags(Columns& columns) {
  const std::string text = columns.Text("placement_tags");
  const Json json = Json::parse(text.empty() ? "null" : text, nullptr, /*allow_exceptions=*/false);
  if (json.is_null()) return {};
  std::vector<std::string> tags;
  bool fits = json.is_array();
  if (fits) {
    for (const Json& tag : json) {
      fits = fits && tag.is_string();
      if (tag.is_string()) tags.push_back(tag.get<std::string>());
    }
  }
  if (!fits) columns.Fail("placement_tags", "it is no JSON list of texts");
  return tags;
}

std::optional<v1::ActualLRP> InternalRoutes(Columns& columns) {
  const Json json = Json::parse(columns.JsonText("internal_routes"), nullptr, /*allow_exceptions=*/false);
  if (json.is_null()) return std::nullopt;
  v1::ActualLRP message;
  bool fits = json.is_array();
  for (auto route = json.begin(); fits && route != json.end(); ++route) {
    fits = route->is_object() && route->contains("hostname") && (*route)["hostname"].is_string();
    if (fits) message.add_actual_lrp_internal_routes()->set_hostname((*route)["hostname"].get<std::string>());
  }
  if (!fits) columns.Fail("internal_routes", "it is no JSON list of host names");
  return message;
}

}  // namespace

Result<LegacyApp> AppFrom(const std::string& row, ColumnOpener& opener) {
  Columns columns(row, opener);
  LegacyApp app;
  app.guid = ProcessGuid(columns.Required("process_guid"));
  app.domain = columns.Required("domain");
  app.log_guid = columns.Text("log_guid");
  app.annotation = columns.Text("annotation");
  app.instances = columns.RequiredInt("instances");
  app.memory_mb = columns.RequiredInt("memory_mb");
  app.disk_mb = columns.RequiredInt("disk_mb");
  app.max_pids = columns.Int("max_pids");
  app.root_fs = columns.Required("rootfs");
  app.placement_tags = PlacementTags(columns);
  app.tag_epoch = columns.Text("modification_tag_epoch");
  app.tag_index = columns.Int("modification_tag_index");
  app.update_strategy = static_cast<int>(columns.Int("update_strategy"));
  columns.Required("routes");
  columns.Required("run_info");
  TakeRoutes(columns, app.routes);
  columns.Message("volume_placement", app.volume_placement);
  columns.Message("run_info", app.run_info);
  app.metric_tags = TagsOf(columns, /*of_app=*/true);
  if (!columns.fault().empty()) return Error{ErrorKind::kInvalidArgument, columns.fault(), {}};
  return app;
}

Result<LegacyInstance> InstanceFrom(const std::string& row, ColumnOpener& opener) {
  Columns columns(row, opener);
  LegacyInstance lrp;
  lrp.index = columns.RequiredInt("instance_index");
  lrp.presence = static_cast<int>(columns.RequiredInt("presence"));
  lrp.domain = columns.Text("domain");
  lrp.state = columns.Required("state");
  lrp.instance_guid = columns.Text("instance_guid");
  lrp.cell_id = columns.Text("cell_id");
  lrp.placement_error = columns.Text("placement_error");
  lrp.since_ns = columns.Int("since");
  columns.Message("net_info", lrp.net_info);
  lrp.crash_count = columns.Int("crash_count");
  lrp.crash_reason = columns.Text("crash_reason");
  lrp.tag_epoch = columns.Text("modification_tag_epoch");
  lrp.tag_index = columns.Int("modification_tag_index");
  lrp.routable = columns.Bool("routable");
  lrp.zone = columns.Text("availability_zone");
  lrp.internal_routes = InternalRoutes(columns);
  lrp.metric_tags = TagsOf(columns, /*of_app=*/false);
  if (!columns.fault().empty()) return Error{ErrorKind::kInvalidArgument, columns.fault(), {}};
  return lrp;
}

}  // namespace baton::adopt
