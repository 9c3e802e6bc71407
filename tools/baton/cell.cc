#include "baton/v2/cells_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"

namespace baton::cli {
namespace {

using ChangeMethod = grpc::Status (v2::Cells::Stub::*)(grpc::ClientContext*, const v2::ChangeCellRequest&,
                                                       v2::ChangeCellResponse*);

v2::Cell Change(Session& session, ChangeMethod method) {
  v2::ChangeCellRequest request;
  request.set_cell_id(session.arguments.name);
  return session.api.Ask<v2::Cells>("cell " + session.arguments.name, method, request).cell();
}

}  // namespace

int CellDrain(Session& session) {
  const v2::Cell cell = Change(session, &v2::Cells::Stub::DrainCell);
  session.io.out << "cell " << cell.cell_id() << " drains: its " << cell.instances()
                 << " instances are replaced elsewhere; baton get cells says when none is left\n";
  return kDone;
}

int CellUndrain(Session& session) {
  const v2::Cell cell = Change(session, &v2::Cells::Stub::UndrainCell);
  session.io.out << "cell " << cell.cell_id() << " takes instances again\n";
  return kDone;
}

}  // namespace baton::cli
