#include "schema/legacy/rows.h"

#include <map>

#include "orchestrator/wire/definition.h"
#include "orchestrator/wire/stored.h"
#include "schema/cipher.h"
#include "sql/columns.h"

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
  std::string Bytes(const Rows::Row& row, std::size_t at, const char* column) {
    auto opened = PlainCipher().Open({table_, column, key_}, row.Bytes(at));
    if (opened) return *std::move(opened);
    Keep(opened.error().message);
    return {};
  }
  void Message(const Rows::Row& row, std::size_t at, const char* column, google::protobuf::MessageLite& message) {
    if (message.ParseFromString(Bytes(row, at, column))) return;
    Keep(std::string(table_) + "." + column + " of " + key_ + ": it does not parse");
  }
  void Tags(const Rows::Row& row, std::size_t at, std::optional<LegacyTags>& tags) {
    if (row.IsNull(at)) return;
    v2::StoredMetricTags stored;
    Message(row, at, "metric_tags", stored);
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
  app.guid = ProcessGuid(row.Text(0));
  Opener open(kApps, app.guid.str());
  app.domain = row.Text(1);
  app.log_guid = row.Text(2);
  app.annotation = open.Bytes(row, 3, "annotation");
  app.instances = row.Int(4);
  app.memory_mb = row.Int(5);
  app.disk_mb = row.Int(6);
  app.max_pids = row.Int(7);
  app.root_fs = row.Text(8);
  open.Message(row, 9, "routes", app.routes);
  open.Message(row, 10, "volume_placement", app.volume_placement);
  app.placement_tags = row.Array(11);
  app.tag_epoch = row.Text(12);
  app.tag_index = row.Int(13);
  open.Message(row, 14, "run_info", app.run_info);
  open.Tags(row, 15, app.metric_tags);
  app.update_strategy = static_cast<int>(row.Int(16));
  fault = open.first();
  return app;
}

LegacyInstance InstanceOf(const Rows::Row& row, std::string& fault) {
  LegacyInstance lrp;
  lrp.index = row.Int(1);
  lrp.presence = static_cast<int>(row.Int(2));
  Opener open(kActuals, InstanceName(ProcessGuid(row.Text(0)), lrp.index, lrp.presence));
  lrp.domain = row.Text(3);
  lrp.state = row.Text(4);
  lrp.instance_guid = row.Text(5);
  lrp.cell_id = row.Text(6);
  lrp.placement_error = open.Bytes(row, 7, "placement_error");
  lrp.since_ns = row.Int(8);
  open.Message(row, 9, "net_info", lrp.net_info);
  lrp.crash_count = row.Int(10);
  lrp.crash_reason = open.Bytes(row, 11, "crash_reason");
  lrp.tag_epoch = row.Text(12);
  lrp.tag_index = row.Int(13);
  if (!row.IsNull(14)) open.Message(row, 14, "internal_routes", lrp.internal_routes.emplace());
  open.Tags(row, 15, lrp.metric_tags);
  if (!row.IsNull(16)) lrp.routable = row.Bool(16);
  lrp.zone = row.Text(17);
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
  batch.last = names[names.size() - 1].Text(0);
  std::map<std::string, std::pair<LegacyApp, std::string>> apps;  // with the first fault
  for (const auto row : session.Run("ReadLegacyDesired", {after, batch.last})) {
    auto& [app, fault] = apps[row.Text(0)];
    app = AppOf(row, fault);
    ++batch.rows;
  }
  for (const auto row : session.Run("ReadLegacyActuals", {after, batch.last})) {
    auto& [app, fault] = apps[row.Text(0)];
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
    LegacyShape& shape = shapes[ProcessGuid(row.Text(0))];
    shape.app = AppOf(row, shape.fault);
  }
  for (const auto row : rows.actuals) {
    LegacyShape& shape = shapes[ProcessGuid(row.Text(0))];
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
