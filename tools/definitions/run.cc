#include "tools/definitions/run.h"

#include "tools/definitions/database.h"
#include "tools/definitions/listing.h"
#include "tools/definitions/show.h"
#include "tools/definitions/verifier.h"
#include "tools/definitions/words.h"
#include "tools/words/times.h"

namespace baton::definitions {
namespace {

using Json = nlohmann::ordered_json;

class Run {
 public:
  Run(Session& session, const DefinitionsOptions& options, const DefinitionsStreams& streams)
      : session_(session), options_(options), streams_(streams) {}

  DefinitionsExit Everything() {
    if (const auto refused = RefuseVersion(session_)) return Complain(*refused);
    now_ = BeginDump(session_);
    if (options_.show) return Show();
    if (!MayReadSealed(session_)) {
      streams_.err << "baton-definitions: this role of the database reads only what is in the clear by design: "
                   << (options_.check ? "references are checked, blobs are not\n"
                                      : "sizes, and why instances have no cell, are not told\n");
    }
    return options_.check ? Check() : List();
  }

 private:
  DefinitionsExit Complain(const std::string& text) {
    streams_.err << "baton-definitions: " << text << "\n";
    return kExitFaults;
  }

  // A reader that is gone (head), or Ctrl-C.
  bool MayGoOn() { return !streams_.interrupted() && streams_.out.good(); }

  // Pages of guids until there are no more. False: it was interrupted.
  bool EachPage(const std::function<void(const std::vector<ProcessGuid>&)>& page) {
    ProcessGuid after;
    while (MayGoOn()) {
      const auto guids = NextApps(session_, options_, after);
      if (guids.empty()) return true;
      page(guids);
      streams_.out.flush();
      if (!options_.app.empty() || static_cast<int>(guids.size()) < options_.page_apps) return true;
      after = guids.back();
    }
    return false;
  }

  bool Exists() {
    if (options_.app.empty()) return true;
    const AppState app = ReadDumpedApps(session_, {options_.app}).front().state;
    return app.desired || app.roll || !app.definitions.empty() || !app.actuals.empty();
  }

  DefinitionsExit NoApp() { return Complain("there is nothing of an app " + options_.app.str()); }

  DefinitionsExit List() {
    if (!Exists()) return NoApp();
    const auto listing = MakeListing(options_.output);
    streams_.out << listing->Begin(now_, options_.history);
    const bool whole = EachPage([&](const std::vector<ProcessGuid>& guids) {
      std::vector<DefinitionRecord> records;
      std::vector<DumpedApp> apps = ReadDumpedApps(session_, guids);
      ReadPlacementErrors(session_, apps);
      for (const DumpedApp& app : apps) {
        for (DefinitionRecord& record : RecordsOf(app, options_.history, now_)) records.push_back(std::move(record));
      }
      streams_.out << listing->Page(records);
    });
    if (!whole) return Complain("interrupted: the list is not complete");
    streams_.out << listing->End();
    return kExitFine;
  }

  DefinitionsExit Show() {
    const auto shown = ShowDefinition(session_, options_, now_);
    if (!shown) return Complain(shown.error().message);
    if (options_.reveal) streams_.err << "baton-definitions: warning: secrets are shown in the clear\n";
    streams_.out << (options_.output == "yaml" ? AsYaml(*shown) : Dump(*shown, 2) + "\n");
    return kExitFine;
  }

  bool as_lines() const { return options_.output == "table" || options_.output == "wide"; }

  DefinitionsExit Check() {
    if (!Exists()) return NoApp();
    Json findings = Json::array();
    Json warnings = Json::array();
    const auto tell = [&](Json& into, const char* before, const char* what) {
      return [&, before, what](const CheckFinding& finding) {
        if (as_lines()) return void(streams_.out << before << Sentence(finding) << "\n");
        into.push_back({{"process_guid", finding.app},
                        {"definition_identifier", finding.identifier},
                        {what, finding.fault},
                        {"remedy", finding.remedy}});
      };
    };
    Verifier verifier(session_, tell(findings, "", "fault"), tell(warnings, "warning: ", "warning"));
    bool whole = EachPage([&](const std::vector<ProcessGuid>& guids) { verifier.VerifyApps(guids); });
    const bool everything = options_.app.empty() && options_.domain.empty();
    if (whole && everything) whole = verifier.VerifyTheRest([this] { return MayGoOn(); });
    if (!whole) return Complain("interrupted: not everything was checked");
    Summarise(verifier.counts(), findings, warnings);
    return verifier.counts().findings == 0 ? kExitFine : kExitFaults;
  }

  void Summarise(const CheckedCounts& counts, const Json& findings, const Json& warnings) {
    if (as_lines()) {
      streams_.out << "checked " << Counted(counts.apps, "app") << ", " << Counted(counts.definitions, "definition")
                   << ", " << Counted(counts.blobs, "blob") << ", " << Counted(counts.references, "reference") << ": "
                   << (counts.findings == 0 ? "all is well" : Counted(counts.findings, "fault"))
                   << (counts.warnings == 0 ? "" : ", " + Counted(counts.warnings, "warning")) << "\n";
      if (counts.cells == 0) streams_.out << "no cell is registered: whether cells take these apps was not looked at\n";
      for (const auto& [label, blobs] : counts.unopened) {
        streams_.out << Counted(blobs, "blob") << " sealed with key " << label << ", not opened: give its key with --keys\n";
      }
      return;
    }
    const Json summary = {{"taken_at", Utc(now_)},
                          {"checked",
                           {{"apps", counts.apps},
                            {"definitions", counts.definitions},
                            {"blobs", counts.blobs},
                            {"references", counts.references},
                            {"cells", counts.cells}}},
                          {"not_opened", counts.unopened},
                          {"faults", findings},
                          {"warnings", warnings}};
    streams_.out << (options_.output == "yaml" ? AsYaml(summary) : Dump(summary, 2) + "\n");
  }

  Session& session_;
  const DefinitionsOptions& options_;
  const DefinitionsStreams& streams_;
  TimePoint now_;
};

}  // namespace

DefinitionsExit RunDefinitions(const DefinitionsOptions& options, const DefinitionsStreams& streams) {
  auto database = Database::Open(options);
  if (!database) {
    streams.err << "baton-definitions: " << database.error().message << "\n";
    return database.error().kind == ErrorKind::kFailedPrecondition ? kExitUsage : kExitUnreachable;
  }
  DefinitionsExit code = kExitFaults;
  const SessionError error =
      (*database)->session().Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& session) {
        code = Run(session, options, streams).Everything();
        return true;
      });
  if (error.ok()) return code;
  const bool gone = error.fault == Fault::kBroken || error.fault == Fault::kInDoubt;
  streams.err << "baton-definitions: "
              << (gone ? "the database went away while it was read; what was printed is not complete"
                       : "the database cannot be read: " + error.detail.substr(0, error.detail.find('\n')))
              << "\n";
  return gone ? kExitUnreachable : kExitFaults;
}

}  // namespace baton::definitions
