#include "schema/legacy/run_infos.h"

#include "sql/session/session.h"

namespace baton {

std::map<ProcessGuid, Result<std::string>> ReadActiveRunInfos(Session& session, const std::vector<ProcessGuid>& guids) {
  std::map<ProcessGuid, Result<std::string>> run_infos;
  if (guids.empty()) return run_infos;
  ArrayParam names;
  for (const ProcessGuid& guid : guids) names.Text(guid.str());
  for (const auto row : session.Run("ReadActiveRunInfos", {names.str()})) {
    const std::string key = row.Text("process_guid") + "/" + row.Text("incarnation") + "/" + row.Text("definition_identifier");
    run_infos.emplace(ProcessGuid(row.Text("process_guid")),
                      session.cipher().Open({"definitions", "run_info", key}, row.Bytes("run_info")));
  }
  return run_infos;
}

}  // namespace baton
