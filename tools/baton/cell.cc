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

// The same commands under another name: arguments of their own.
int As(Session& session, const char* kind, int (*command)(Session&)) {
  Arguments arguments = session.arguments;
  arguments.kind = kind;
  Session own{arguments, session.api, session.io};
  return command(own);
}

}  // namespace

int CellGet(Session& session) { return As(session, "cell", Get); }
int CellDescribe(Session& session) { return As(session, "cell", DescribeOne); }

int CellDrain(Session& session) {
  const v2::Cell cell = Change(session, &v2::Cells::Stub::DrainCell);
  session.io.out << "cell " << cell.cell_id() << " drains: its " << cell.instances()
                 << " instances are replaced elsewhere; baton cell describe says how far it is\n";
  return kDone;
}

int CellUndrain(Session& session) {
  const v2::Cell cell = Change(session, &v2::Cells::Stub::UndrainCell);
  session.io.out << "cell " << cell.cell_id() << " takes instances again\n";
  return kDone;
}

}  // namespace baton::cli
