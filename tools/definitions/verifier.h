// Verifies every blob and every reference of one snapshot. Reports what is broken and goes on.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/definitions/findings.h"
#include "tools/definitions/snapshot.h"
#include "tools/definitions/startable.h"

namespace baton::definitions {

struct CheckedCounts {
  std::size_t apps = 0;
  std::size_t definitions = 0;
  std::size_t blobs = 0;
  std::size_t references = 0;
  std::size_t findings = 0;
  std::size_t warnings = 0;
  std::size_t cells = 0;  // that are registered
  std::map<std::string, std::size_t> unopened;  // by the label of the key that was not given
};

class Verifier {
 public:
  using Tell = std::function<void(const CheckFinding&)>;
  // Within the caller's transaction, as everything here. `warn` gets intact definitions that could not be started
  // again.
  Verifier(Session& session, Tell tell, Tell warn);

  // References alone, where this role may not read blobs.
  void VerifyApps(const std::vector<ProcessGuid>& guids);
  // Blobs that belong to no definition: events, kept answers and the history of rolls. False: stop was asked for.
  bool VerifyTheRest(const std::function<bool()>& go_on);
  const CheckedCounts& counts() const { return counts_; }

 private:
  struct DefinitionAt {
    const AppState* app;
    DefinitionKey key;
  };
  void VerifyRunInfos(const std::vector<DumpedApp>& apps);
  void VerifyBatch(const std::vector<DefinitionAt>& batch);
  void VerifyDesired(const std::vector<ProcessGuid>& guids);
  void VerifyActuals(const std::vector<ProcessGuid>& guids);
  // Each sealed column of a row of the table.
  void Sealed(const CheckFinding& owner, const char* table, const std::string& key, const Rows::Row& row);
  void Blob(const CheckFinding& owner, const BlobPlace& place, const std::string& sealed, const PayloadCheck& check);
  bool Opens(const BlobPlace& place, const std::string& sealed);
  // All rows of a statement that takes where to begin and how many; `key` is where the next page begins.
  bool EachRow(const char* statement, Column key, std::string after, const std::function<bool()>& go_on,
               const std::function<void(const Rows::Row&)>& row);
  void Report(const CheckFinding& finding);
  // Of a run info in which there is no fault.
  void WarnOf(const DefinitionAt& one, const std::string& payload);

  Session& session_;
  Tell tell_;
  Tell warn_;
  KnownFleet fleet_;
  const bool blobs_;
  std::set<std::string> labels_;
  CheckedCounts counts_;
};

}  // namespace baton::definitions
