#include <algorithm>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/cells_service.grpc.pb.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/explain.h"
#include "tools/baton/waiting/waiting.h"

namespace baton::cli {
namespace {

using ChangeCellMethod = grpc::Status (v2::Cells::Stub::*)(grpc::ClientContext*, const v2::ChangeCellRequest&,
                                                           v2::ChangeCellResponse*);

v2::Cell ChangeCell(Session& session, ChangeCellMethod method) {
  v2::ChangeCellRequest request;
  request.set_cell_id(session.arguments.name);
  return session.api.Ask<v2::Cells>("cell " + session.arguments.name, method, request).cell();
}

// The same commands under another name: arguments of their own.
int As(Session& session, const char* kind, int (*command)(Session&)) {
  Arguments arguments = session.arguments;
  arguments.kind = kind;
  Session own{arguments, session.api, session.io};
  return command(own);
}

Look LookAtDraining(Session& session, const std::string& name, int& most) {
  const auto cells = ReadCells(session);
  const auto cell = std::ranges::find(cells.cells(), name, &v2::Cell::cell_id);
  Look look;
  if (cell == cells.cells().end() || !cell->draining()) {
    look.stuck = "cell " + name + (cell == cells.cells().end() ? " is not known any more" : " does not drain any more");
    return look;
  }
  v2::ListActualLRPsRequest request;
  request.set_cell_id(name);
  const int left = CountOf(ReadInstances(session, "", request));
  most = std::max({most, left, cell->draining_from()});
  look.progress = std::to_string(most - left) + " of " + std::to_string(most) + " are gone";
  if (left == 0) look.done = "cell " + name + " is empty";
  return look;
}

}  // namespace

int CellGet(Session& session) { return As(session, "cell", Get); }
int CellDescribe(Session& session) { return As(session, "cell", DescribeOne); }

int CellDrain(Session& session) {
  const v2::Cell cell = ChangeCell(session, &v2::Cells::Stub::DrainCell);
  session.io.out << "cell " << cell.cell_id() << " drains: its " << cell.instances()
                 << " instances are replaced elsewhere; baton cell describe says how far it is\n"
                 << std::flush;
  if (!session.arguments.wait) return kDone;
  int most = 0;
  const std::string& name = session.arguments.name;
  return WaitFor(session, {"cell " + name, [&] { return LookAtDraining(session, name, most); },
                           [&] { return ExplainCell(session, name); }});
}

int CellUndrain(Session& session) {
  const v2::Cell cell = ChangeCell(session, &v2::Cells::Stub::UndrainCell);
  session.io.out << "cell " << cell.cell_id() << " takes instances again\n";
  return kDone;
}

}  // namespace baton::cli
