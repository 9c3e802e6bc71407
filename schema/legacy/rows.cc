#include "schema/legacy/rows.h"

#include <map>

#include "orchestrator/crypto/cipher.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/stored/stored.h"
#include "sql/session/columns.h"

namespace baton {
namespace {

constexpr char kApps[] = "legacy.desired_lrps";
constexpr char kActuals[] = "legacy.actual_lrps";

class Sealer {
 public:
  Sealer(const char* table, std::string key) : table_(table), key_(std::move(key)) {}
  std::string operator()(const char* column, std::string_view bytes) const {
    // The migration to 2.x is near, and who adopts has none of Baton's keys.
    return PlainCipher().Seal({table_, column, key_}, bytes).value();
  }
  std::string operator()(const char* column, const google::protobuf::MessageLite& message) const {
    return (*this)(column, wire::CanonicalBytes(message));
  }

 private:
  const char* table_;
  std::string key_;
};

// Opens the blobs of one row and keeps the first fault.
class Opener {
 public:
  Opener(const char* table, std::string key) : table_(table), key_(std::move(key)) {}
  std::string Bytes(const Rows::Row& row, Column column) {
    auto opened = PlainCipher().Open({table_, column.name(), key_}, row.Bytes(column));
    if (opened) return *std::move(opened);
    Keep(opened.error().message);
    return {};
  }
  void Message(const Rows::Row& row, Column column, google::protobuf::MessageLite& message) {
    if (message.ParseFromString(Bytes(row, column))) return;
    Keep(std::string(table_) + "." + column.name().data() + " of " + key_ + ": it does not parse");
  }
  void Tags(const Rows::Row& row, std::optional<LegacyTags>& tags) {
    if (row.IsNull("metric_tags")) return;
    v2::StoredMetricTags stored;
    Message(row, "metric_tags", stored);
    tags = std::move(*stored.mutable_tags());
  }
  const std::string& first() const { return first_; }

 private:
  void Keep(const std::string& fault) {
    if (first_.empty()) first_ = fault;
  }
  const char* table_;
  std::string key_;
  std::string first_;
};

void Fill(Columns& columns, const LegacyApp& app) {
  const Sealer seal(kApps, app.guid.str());
  ArrayParam placement_tags;
  for (const std::string& tag : app.placement_tags) placement_tags.Text(tag);
  auto row = columns.Row();
  row.Text(app.guid.str())
      .Text(app.domain)
      .Text(app.log_guid)
      .Bytes(seal("annotation", app.annotation))
      .Int(app.instances)
      .Int(app.memory_mb)
      .Int(app.disk_mb)
      .Int(app.max_pids)
      .Text(app.root_fs)
      .Bytes(seal("routes", app.routes))
      .Bytes(seal("volume_placement", app.volume_placement))
      .Nested(placement_tags)
      .Text(app.tag_epoch)
      .Int(app.tag_index)
      .Bytes(seal("run_info", app.run_info));
  app.metric_tags ? row.Bytes(seal("metric_tags", wire::EncodeMetricTags(*app.metric_tags))) : row.Null();
  row.Int(app.update_strategy);
}

Columns::RowFiller Fill(Columns& columns, const ProcessGuid& guid, const LegacyInstance& lrp) {
  const Sealer seal(kActuals, InstanceName(guid, lrp.index, lrp.presence));
  auto row = columns.Row();
  row.Text(guid.str())
      .Int(lrp.index)
      .Int(lrp.presence)
      .Text(lrp.domain)
      .Text(lrp.state)
      .Text(lrp.instance_guid)
      .Text(lrp.cell_id)
      .Bytes(seal("placement_error", lrp.placement_error))
      .Int(lrp.since_ns)
      .Bytes(seal("net_info", lrp.net_info))
      .Int(lrp.crash_count)
      .Bytes(seal("crash_reason", lrp.crash_reason))
      .Text(lrp.tag_epoch)
      .Int(lrp.tag_index);
  lrp.internal_routes ? row.Bytes(seal("internal_routes", *lrp.internal_routes)) : row.Null();
  lrp.metric_tags ? row.Bytes(seal("metric_tags", wire::EncodeMetricTags(*lrp.metric_tags))) : row.Null();
  lrp.routable ? row.Bool(*lrp.routable) : row.Null();
  row.Text(lrp.zone);
  return row;
}

LegacyApp AppOf(const Rows::Row& row, std::string& fault) {
  LegacyApp app;
  app.guid = ProcessGuid(row.Text("process_guid"));
  Opener open(kApps, app.guid.str());
  app.domain = row.Text("domain");
  app.log_guid = row.Text("log_guid");
  app.annotation = open.Bytes(row, "annotation");
  app.instances = row.Int("instances");
  app.memory_mb = row.Int("memory_mb");
  app.disk_mb = row.Int("disk_mb");
  app.max_pids = row.Int("max_pids");
  app.root_fs = row.Text("rootfs");
  open.Message(row, "routes", app.routes);
  open.Message(row, "volume_placement", app.volume_placement);
  app.placement_tags = row.Array("placement_tags");
  app.tag_epoch = row.Text("modification_tag_epoch");
  app.tag_index = row.Int("modification_tag_index");
  open.Message(row, "run_info", app.run_info);
  open.Tags(row, app.metric_tags);
  app.update_strategy = static_cast<int>(row.Int("update_strategy"));
  fault = open.first();
  return app;
}

LegacyInstance InstanceOf(const Rows::Row& row, std::string& fault) {
  LegacyInstance lrp;
  lrp.index = row.Int("instance_index");
  lrp.presence = static_cast<int>(row.Int("presence"));
  Opener open(kActuals, InstanceName(ProcessGuid(row.Text("process_guid")), lrp.index, lrp.presence));
  lrp.domain = row.Text("domain");
  lrp.state = row.Text("state");
  lrp.instance_guid = row.Text("instance_guid");
  lrp.cell_id = row.Text("cell_id");
  lrp.placement_error = open.Bytes(row, "placement_error");
  lrp.since_ns = row.Int("since");
  open.Message(row, "net_info", lrp.net_info);
  lrp.crash_count = row.Int("crash_count");
  lrp.crash_reason = open.Bytes(row, "crash_reason");
  lrp.tag_epoch = row.Text("modification_tag_epoch");
  lrp.tag_index = row.Int("modification_tag_index");
  if (!row.IsNull("internal_routes")) open.Message(row, "internal_routes", lrp.internal_routes.emplace());
  open.Tags(row, lrp.metric_tags);
  if (!row.IsNull("routable")) lrp.routable = row.Bool("routable");
  lrp.zone = row.Text("availability_zone");
  if (fault.empty()) fault = open.first();
  return lrp;
}

std::string Names(const std::vector<ProcessGuid>& guids) {
  ArrayParam names;
  for (const ProcessGuid& guid : guids) names.Text(guid.str());
  return names.str();
}

}  // namespace

void InsertLegacyApps(Session& session, const std::vector<LegacyApp>& apps) {
  Columns desired(17);
  Columns actual(18);
  for (const LegacyApp& app : apps) {
    Fill(desired, app);
    for (const LegacyInstance& lrp : app.actuals) Fill(actual, app.guid, lrp);
  }
  desired.RunIfAny(session, "InsertLegacyDesired");
  actual.RunIfAny(session, "InsertLegacyActuals");
}

LegacyBatch ReadLegacyApps(Session& session, const std::string& after, int most) {
  LegacyBatch batch;
  const Rows names = session.Run("ListLegacyApps", {after, std::to_string(most)});
  if (names.empty()) return batch;
  batch.last = names[names.size() - 1].Text();
  std::map<std::string, std::pair<LegacyApp, std::string>> apps;  // with the first fault
  for (const auto row : session.Run("ReadLegacyDesired", {after, batch.last})) {
    auto& [app, fault] = apps[row.Text("process_guid")];
    app = AppOf(row, fault);
    ++batch.rows;
  }
  for (const auto row : session.Run("ReadLegacyActuals", {after, batch.last})) {
    auto& [app, fault] = apps[row.Text("process_guid")];
    app.actuals.push_back(InstanceOf(row, fault));
    ++batch.rows;
  }
  for (auto& [name, entry] : apps) {
    auto& [app, fault] = entry;
    if (app.guid.empty()) fault = "legacy.actual_lrps of " + name + ": there is no such app in legacy.desired_lrps";
    if (fault.empty()) {
      batch.apps.push_back(std::move(app));
    } else {
      batch.broken.push_back(name + ": " + fault);
    }
  }
  return batch;
}

LegacyRows ReadLegacyRows(Session& session, const std::vector<ProcessGuid>& guids, bool lock) {
  const std::string names = Names(guids);
  LegacyRows rows;
  rows.desired = session.Run(lock ? "LockLegacyDesiredOf" : "ReadLegacyDesiredOf", {names});
  rows.actuals = session.Run(lock ? "LockLegacyActualsOf" : "ReadLegacyActualsOf", {names});
  return rows;
}

std::map<ProcessGuid, LegacyShape> ShapesOf(const LegacyRows& rows) {
  std::map<ProcessGuid, LegacyShape> shapes;
  for (const auto row : rows.desired) {
    LegacyShape& shape = shapes[ProcessGuid(row.Text("process_guid"))];
    shape.app = AppOf(row, shape.fault);
  }
  for (const auto row : rows.actuals) {
    LegacyShape& shape = shapes[ProcessGuid(row.Text("process_guid"))];
    LegacyInstance lrp = InstanceOf(row, shape.fault);
    (shape.app ? shape.app->actuals : shape.orphans).push_back(std::move(lrp));
  }
  for (auto& [guid, shape] : shapes) {
    if (!shape.fault.empty()) shape.app.reset();
  }
  return shapes;
}

void DeleteLegacyApps(Session& session, const std::vector<ProcessGuid>& guids) {
  if (!guids.empty()) session.Run("DeleteLegacyApps", {Names(guids)});
}

void UpsertLegacyApps(Session& session, const std::vector<LegacyApp>& apps) {
  Columns desired(17);
  for (const LegacyApp& app : apps) Fill(desired, app);
  desired.RunIfAny(session, "UpsertLegacyDesired");
}

void DeleteLegacyInstances(Session& session, const std::vector<std::pair<ProcessGuid, LegacyPlace>>& places) {
  Columns keys(3);
  for (const auto& [guid, place] : places) keys.Row().Text(guid.str()).Int(place.first).Int(place.second);
  keys.RunIfAny(session, "DeleteLegacyActuals");
}

void UpsertLegacyInstances(Session& session, const std::vector<LegacyUpsert>& upserts) {
  Columns rows(20);
  for (const LegacyUpsert& one : upserts) Fill(rows, one.guid, one.lrp).Int(one.incarnation).Bool(one.own_row);
  rows.RunIfAny(session, "UpsertLegacyActuals");
}

}  // namespace baton
