#include "sql/read/list_reader.h"

#include <utility>

#include "sql/read/actuals_reader.h"
#include "sql/read/app_reader.h"
#include "sql/session/row_values.h"

namespace baton {
namespace {

std::string Guids(const std::vector<ProcessGuid>& guids) {
  ArrayParam array;
  for (const ProcessGuid& guid : guids) array.Text(guid.str());
  return array.str();
}

Result<DesiredRead> ReadWholeApp(const Rows::Row& row, const Cipher& cipher) {
  auto desired = ReadDesired(row, cipher);
  if (!desired) return desired.error();
  DesiredRead read{ProcessGuid(row.Text("process_guid")),
                   *std::move(desired),
                   ReadDefinition(row.From("definition_identifier")),
                   {}};
  auto run_info =
      OpenRunInfo(cipher, read.guid, {read.desired.incarnation, read.desired.active}, row.Bytes("run_info"));
  if (!run_info) return run_info.error();
  read.run_info = *std::move(run_info);
  return read;
}

// An app; or why it cannot be read. Its definition may be gone: somebody dropped the foreign key, and then the row.
void TakeApp(const Rows::Row& row, Result<DesiredRead> (*take)(const Rows::Row&, const Cipher&), const Cipher& cipher,
             Page<DesiredRead>& page) {
  const std::string guid = row.Text("process_guid");
  auto read = row.IsNull("content_hash")
                  ? Result<DesiredRead>(Error{
                        ErrorKind::kDataLoss, "its definition " + row.Text("active_definition") + " is not there", {}})
                  : take(row, cipher);
  read ? page.rows.push_back(*std::move(read)) : page.broken.push_back({guid, "app " + guid, read.error().message});
}

// A page's rows; and of which moment they are, where they are all that there is.
Rows RunList(Session& s, Session::Step list, bool all, ReadMark& mark) {
  if (!all) return s.Run(list.statement, list.params);
  std::vector<Rows> gave = s.RunTogether({{"ReadMark"}, std::move(list)});
  mark = MarkOf(gave[0][0]);
  return std::move(gave[1]);
}

}  // namespace

ReadMark MarkOf(const Rows::Row& row) { return {row.Text("horizon"), row.Text("store")}; }

Result<std::string> OpenRunInfo(const Cipher& cipher, const ProcessGuid& guid, const DefinitionKey& key,
                                std::string_view sealed) {
  const std::string place = guid.str() + "/" + std::to_string(key.incarnation) + "/" + key.id.str();
  return cipher.Open({"definitions", "run_info", place}, sealed);
}

Result<Page<DesiredRead>> ReadDesiredPage(Session& s, const DesiredFilter& filter, ProcessGuid& after, int limit) {
  Page<DesiredRead> page;
  const Rows rows = RunList(s,
                            {filter.scheduling_only ? "ListSchedulingInfos" : "ListDesired",
                             {after.str(), filter.domain, Guids(filter.guids), std::to_string(limit)}},
                            filter.TakesAll(), page.mark);
  for (const auto row : rows) {
    after = ProcessGuid(row.Text("process_guid"));
    TakeApp(row, filter.scheduling_only ? ReadSchedulingInfo : ReadWholeApp, s.cipher(), page);
  }
  page.last = static_cast<int>(rows.size()) < limit;
  return page;
}

Result<Page<DesiredRead>> ReadDesiredByGuid(Session& s, const std::vector<ProcessGuid>& guids) {
  Page<DesiredRead> page;
  for (const auto row : s.Run("GetDesired", {Guids(guids)})) {
    const std::size_t before = page.rows.size();
    TakeApp(row, ReadWholeApp, s.cipher(), page);
    if (page.rows.size() > before) page.rows.back().open_roll = RollId(row.TextOrEmpty("roll_id"));
  }
  return page;
}

Result<Page<ActualRead>> ReadActualsPage(Session& s, const ActualFilter& filter, ProcessGuid& after_guid,
                                         ActualId& after_id, int limit) {
  Page<ActualRead> page;
  const Rows rows = RunList(s,
                            {"ListActuals",
                             {after_guid.str(), after_id.str(), filter.domain, filter.guid.str(), filter.cell.str(),
                              std::to_string(filter.index.value_or(-1)), std::to_string(limit), Guids(filter.guids)}},
                            filter.TakesAll(), page.mark);
  for (const auto row : rows) {
    after_guid = ProcessGuid(row.Text("process_guid"));
    after_id = ActualId(row.Text("actual_id"));
    TakeActual(row, s.cipher(), page);
  }
  page.last = static_cast<int>(rows.size()) < limit;
  return page;
}

void TakeActual(const Rows::Row& row, const Cipher& cipher, Page<ActualRead>& page) {
  const std::string guid = row.Text("process_guid");
  const std::string id = row.Text("actual_id");
  auto lrp = ReadActual(row, cipher);
  lrp ? page.rows.push_back({ProcessGuid(guid), *std::move(lrp)})
      : page.broken.push_back({id, "instance " + id + " of " + guid, lrp.error().message});
}

}  // namespace baton
