#include "tools/definitions/verifier.h"

#include <utility>

#include "orchestrator/base/check.h"
#include "orchestrator/wire/messages/definition.h"
#include "sql/registry/registry_reader.h"
#include "sql/session/statements.h"
#include "sql/store/app_writer.h"

namespace baton::definitions {
namespace {

constexpr std::int64_t kBatchBytesMax = 1 << 20;  // of run infos in memory at a time; one alone may be as large
constexpr int kPageRows = 1000;

constexpr char kReplaceDefinition[] =
    "restore its row from a backup, or update the app to a new definition and let this one be collected";
constexpr char kUpdateApp[] = "restore the row from a backup, or set this part of the app anew";
constexpr char kReplaceRoll[] = "restore the row from a backup, or roll to another definition";
constexpr char kReplaceInstance[] = "restore the row from a backup, or let the instance be replaced";
constexpr char kReplaceHistory[] = "restore the row from a backup, or delete it; it only tells of the past";
constexpr char kDamaged[] = "PostgreSQL cannot read it: look at its log, and restore from a backup";

// Reads all of `keys` at once; where that fails, halves: what can be read is read, and `lost` hears of the rest.
template <class Key>
void ReadOrSplit(Session& session, const std::vector<Key>& keys,
                 const std::function<void(const std::vector<Key>&)>& read,
                 const std::function<void(const Key&, const SessionError&)>& lost) {
  if (keys.empty()) return;
  const SessionError error = session.Savepoint([&](Session&) { read(keys); });
  if (error.ok()) return;
  if (error.fault == Fault::kBroken) session.Run("ReadNow");  // leaves by the exception that ends the transaction
  if (keys.size() == 1) return lost(keys.front(), error);
  const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
  ReadOrSplit<Key>(session, {keys.begin(), middle}, read, lost);
  ReadOrSplit<Key>(session, {middle, keys.end()}, read, lost);
}

// Of each sealed column: what its payload has to be.
const std::map<std::string, PayloadCheck>& Checks() {
  static const std::map<std::string, PayloadCheck> kChecks = {{"desired_lrps.routes", RoutesFault},
                                                              {"desired_lrps.annotation", TextFault},
                                                              {"desired_lrps.metric_tags", MetricTagsFault},
                                                              {"desired_lrps.credentials", CredentialsFault},
                                                              {"desired_lrps.strategy", StrategyFault},
                                                              {"rolls.reason", TextFault},
                                                              {"rolls.verdict", TextFault},
                                                              {"rolls.condemned", TextFault},
                                                              {"rolls.strategy", StrategyFault},
                                                              {"actual_lrps.net_info", NetInfoFault},
                                                              {"actual_lrps.crash_reason", TextFault},
                                                              {"actual_lrps.placement_error", TextFault}};
  return kChecks;
}

std::size_t References(const AppState& app) {
  std::size_t count = app.actuals.size();
  if (app.desired) count += app.desired->healthy.empty() ? 1 : 2;
  if (app.roll) count += app.roll->source.empty() ? 1 : 2;
  return count;
}

}  // namespace

Verifier::Verifier(Session& session, Tell tell, Tell warn)
    : session_(session), tell_(std::move(tell)), warn_(std::move(warn)), blobs_(MayReadSealed(session)) {
  for (const auto row : session_.Run("DumpKeyLabels")) labels_.insert(row.Text());
  fleet_.cells = ReadCells(session_);
  fleet_.egress = ReadEgressPolicy(session_);
  counts_.cells = fleet_.cells.size();
}

void Verifier::Report(const CheckFinding& finding) {
  ++counts_.findings;
  tell_(finding);
}

void Verifier::Blob(const CheckFinding& owner, const BlobPlace& place, const std::string& sealed,
                    const PayloadCheck& check) {
  ++counts_.blobs;
  if (!Opens(place, sealed)) return;
  auto fault = BlobFault(session_.cipher(), place, sealed, labels_, check);
  if (!fault) return;
  CheckFinding finding = owner;
  finding.fault = *std::move(fault);
  Report(finding);
}

// False: it takes a key that was not given, and is counted. A label that the database does not know is a fault.
bool Verifier::Opens(const BlobPlace& place, const std::string& sealed) {
  const auto info = InspectBlob(place, sealed);
  if (!info || info->format != kSealedFormat || !labels_.contains(info->label)) return true;
  const auto ring = session_.cipher().ring();
  if (ring && ring->Has(info->label)) return true;
  ++counts_.unopened[info->label];
  return false;
}

void Verifier::VerifyApps(const std::vector<ProcessGuid>& guids) {
  const auto lost = [this](const ProcessGuid& guid, const SessionError& error) {
    Report({guid.str(), "", "its rows cannot be read (" + error.sqlstate + ")", kDamaged});
  };
  std::vector<ProcessGuid> readable;
  ReadOrSplit<ProcessGuid>(
      session_, guids,
      [&](const std::vector<ProcessGuid>& some) {
        const std::vector<DumpedApp> apps = ReadDumpedApps(session_, some);
        for (const DumpedApp& app : apps) {
          ++counts_.apps;
          counts_.definitions += app.state.definitions.size();
          counts_.references += References(app.state);
          for (const CheckFinding& finding : DanglingReferences(app.state)) Report(finding);
        }
        if (!blobs_) return;
        VerifyRunInfos(apps);
        readable.insert(readable.end(), some.begin(), some.end());
      },
      lost);
  ReadOrSplit<ProcessGuid>(
      session_, readable, [this](const auto& some) { VerifyDesired(some); }, lost);
  ReadOrSplit<ProcessGuid>(
      session_, readable, [this](const auto& some) { VerifyActuals(some); }, lost);
}

void Verifier::VerifyRunInfos(const std::vector<DumpedApp>& apps) {
  const auto verify = [this](const std::vector<DefinitionAt>& batch) {
    ReadOrSplit<DefinitionAt>(
        session_, batch, [this](const auto& some) { VerifyBatch(some); },
        [this](const DefinitionAt& one, const SessionError& error) {
          Report({one.app->guid.str(), one.key.id.str(), "its run info cannot be read (" + error.sqlstate + ")",
                  kDamaged});
        });
  };
  std::vector<DefinitionAt> batch;
  std::int64_t bytes = 0;
  for (const DumpedApp& app : apps) {
    for (const auto& [key, size] : app.sizes) {
      if (bytes + size > kBatchBytesMax) {
        verify(std::exchange(batch, {}));
        bytes = 0;
      }
      batch.push_back({&app.state, key});
      bytes += size;
    }
  }
  verify(batch);
}

void Verifier::VerifyBatch(const std::vector<DefinitionAt>& batch) {
  ArrayParam guids;
  ArrayParam incarnations;
  ArrayParam ids;
  for (const DefinitionAt& one : batch) {
    guids.Text(one.app->guid.str());
    incarnations.Int(one.key.incarnation);
    ids.Text(one.key.id.str());
  }
  const Rows rows = session_.Run("DumpRunInfos", {guids.str(), incarnations.str(), ids.str()});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DefinitionAt& one = batch[i];
    const std::string key = one.app->guid.str() + "/" + std::to_string(one.key.incarnation) + "/" + one.key.id.str();
    Blob({one.app->guid.str(), one.key.id.str(), "", kReplaceDefinition}, {"definitions", "run_info", key},
         rows[i].Bytes("run_info"),
         [&](const std::string& payload) {
           std::string fault = RunInfoFault(one.app->definitions.at(one.key), payload);
           if (fault.empty()) WarnOf(one, payload);
           return fault;
         });
  }
}

void Verifier::WarnOf(const DefinitionAt& one, const std::string& payload) {
  if (!MayStart(*one.app, one.key)) return;
  const Definition& definition = one.app->definitions.at(one.key);
  const auto message = wire::ToMessage(definition, payload);
  if (!message) return;
  for (const CheckFinding& finding : StartWarnings(*one.app, definition, *message, fleet_)) {
    ++counts_.warnings;
    warn_(finding);
  }
}

void Verifier::Sealed(const CheckFinding& owner, const char* table, const std::string& key, const Rows::Row& row) {
  for (const ListedColumn& column : Lists().find(table)->second) {
    if (!IsSealed(column)) continue;
    const auto check = Checks().find(std::string(table) + "." + column.name);
    CHECK(check != Checks().end());  // a column that is new is decided on there
    Blob(owner, {table, column.name, key}, row.Bytes(Column::Of(column.name)), check->second);
  }
}

void Verifier::VerifyDesired(const std::vector<ProcessGuid>& guids) {
  for (const auto row : session_.Run("DumpDesiredBlobs", {GuidsParam(guids)})) {
    const CheckFinding owner{row.Text("process_guid"), row.Text("active_definition"), "", kUpdateApp};
    Sealed(owner, "desired_lrps", row.Text("process_guid"), row);
  }
  for (const auto row : session_.Run("DumpRollBlobs", {GuidsParam(guids)})) {
    const CheckFinding owner{row.Text("process_guid"), row.Text("target_definition"), "", kReplaceRoll};
    Sealed(owner, "rolls", row.Text("process_guid") + "/" + row.Text("incarnation"), row);
  }
}

void Verifier::VerifyActuals(const std::vector<ProcessGuid>& guids) {
  for (const auto row : session_.Run("DumpActualBlobs", {GuidsParam(guids)})) {
    const CheckFinding owner{row.Text("process_guid"), row.Text("definition_identifier"), "", kReplaceInstance};
    Sealed(owner, "actual_lrps", row.Text("actual_id"), row);
  }
}

bool Verifier::EachRow(const char* statement, Column key, std::string after, const std::function<bool()>& go_on,
                       const std::function<void(const Rows::Row&)>& row) {
  while (go_on()) {
    const Rows rows = session_.Run(statement, {after, std::to_string(kPageRows)});
    for (const auto one : rows) {
      after = one.Text(key);
      row(one);
    }
    if (rows.size() < kPageRows) return true;
  }
  return false;
}

bool Verifier::VerifyTheRest(const std::function<bool()>& go_on) {
  if (!blobs_) return true;
  return EachRow("DumpEventBlobs", "sequence", "0", go_on,
                 [&](const Rows::Row& row) {
                   const std::string bound = EventBlobKey(row.Text("kind"), row.Text("process_guid"), row.Int("incarnation"));
                   Blob({row.Text("process_guid"), "", "", "delete event " + row.Text("sequence") + "; watchers read the rows anew"},
                        {"events", "payload", bound}, row.Bytes("payload"), EventFault);
                 }) &&
         EachRow("DumpAnswerBlobs", "idempotency_key", "", go_on,
                 [&](const Rows::Row& row) {
                   Blob({"", "", "", "delete the row; it only answers a repeated call"},
                        {"idempotency_keys", "answer", row.Text("idempotency_key")}, row.Bytes("answer"), AnyBytes);
                 }) &&
         EachRow("DumpHistoryBlobs", "roll_id", "", go_on,
                 [&](const Rows::Row& row) {
                   Blob({row.Text("process_guid"), "", "", kReplaceHistory}, {"roll_history", "reason", row.Text("roll_id")},
                        row.Bytes("reason"), TextFault);
                 }) &&
         EachRow("DumpStepBlobs", "step", "", go_on, [&](const Rows::Row& row) {
           Blob({"", "", "", kReplaceHistory}, {"roll_steps", "text", row.Text("step")}, row.Bytes("text"), TextFault);
         });
}

}  // namespace baton::definitions
