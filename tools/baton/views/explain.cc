#include "tools/baton/views/explain.h"

#include <map>

#include "baton/v2/rolls_service.grpc.pb.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/describe.h"
#include "tools/baton/yaml/proto_text.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

// Each costs a call; of a cell with thousands the first ones say why.
constexpr std::size_t kAppsMax = 20;

std::string CellState(const v2::Cell& cell, int left) {
  const std::string runs = std::to_string(left) + (left == 1 ? " instance" : " instances");
  if (!cell.draining()) return "takes instances, and has " + runs + ": it does not drain";
  return "drains: " + runs + " left of " + std::to_string(cell.draining_from());
}

}  // namespace

v2::ExplainRollResponse ReadExplanation(Session& session, const std::string& name) {
  v2::ExplainRollRequest request;
  if (IsUuid(name)) {
    request.set_roll_id(name);
    const auto found = session.api.Find<v2::Rolls>("roll " + name, &v2::Rolls::Stub::ExplainRoll, request);
    if (found) return *found;
    request.clear_roll_id();  // an app may be called so too
  }
  request.set_process_guid(name);
  return session.api.Ask<v2::Rolls>("app " + name, &v2::Rolls::Stub::ExplainRoll, request);
}

std::string ExplainCell(Session& session, const std::string& name) {
  const auto cells = ReadCells(session);
  const v2::Cell* cell = nullptr;
  for (const auto& one : cells.cells()) {
    if (one.cell_id() == name) cell = &one;
  }
  if (!cell) throw Failure(kFailed, "cell " + name + " is not known");
  v2::ListActualLRPsRequest request;
  request.set_cell_id(name);
  const auto left = ReadInstances(session, "", request);
  std::string text = "cell " + name + " " + CellState(*cell, CountOf(left)) + "\n";
  if (!cell->held_off().empty()) text += "it is given nothing new: " + OneLine(cell->held_off()) + "\n";
  if (!cell->draining()) return text;
  std::map<std::string, v2::ExplainRollResponse> apps;
  for (const auto& lrp : left.actual_lrps()) {
    const std::string& guid = lrp.process_guid();
    if (!apps.contains(guid)) {
      if (apps.size() == kAppsMax) return text + "\n... and instances of more apps: baton get instances\n";
      v2::ExplainRollRequest ask;
      ask.set_process_guid(guid);
      const auto found = session.api.Find<v2::Rolls>("app " + guid, &v2::Rolls::Stub::ExplainRoll, ask);
      apps[guid] = found.value_or(v2::ExplainRollResponse());
    }
    text += "\n" + ExplainInstance(lrp, apps.at(guid), session.io.now());
  }
  return text;
}

int RolloutExplain(Session& session) {
  const std::string& name = session.arguments.guid;
  const auto answer = ReadExplanation(session, name);
  if (!PrintedMessage(session, answer)) session.io.out << Explain(answer, name, session.io.now());
  return kDone;
}

int ExplainOne(Session& session) {
  const Arguments& arguments = session.arguments;
  if (arguments.cell.empty()) return RolloutExplain(session);
  if (arguments.guid != "cell") {
    throw Failure(kUsage, "explain takes an APP, or the word 'cell' and a CELL: '" + arguments.guid + " " +
                              arguments.cell + "' is neither");
  }
  session.io.out << ExplainCell(session, arguments.cell);
  return kDone;
}

}  // namespace baton::cli
