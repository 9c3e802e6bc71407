#include "baton/v2/definitions_service.grpc.pb.h"
#include "tools/baton/idempotency.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/views/listing.h"

namespace baton::cli {
namespace {

int Pin(Session& session, bool pinned) {
  v2::PinDefinitionRequest request;
  request.set_process_guid(session.arguments.guid);
  request.set_definition_identifier(session.arguments.definition);
  request.set_pinned(pinned);
  request.set_idempotency_key(NewIdempotencyKey());
  const auto definition = session.api
                              .Ask<v2::Definitions>("definition " + session.arguments.definition,
                                                    &v2::Definitions::Stub::PinDefinition, request)
                              .definition();
  const std::string kept = KeptWords(definition);
  session.io.out << "definition " << definition.process_guid() << "/" << definition.definition_identifier()
                 << (kept.empty() ? " is needed by nothing any more: the next convergence pass collects it"
                                  : " is kept: " + kept)
                 << "\n";
  return kDone;
}

}  // namespace

int DefinitionPin(Session& session) { return Pin(session, true); }
int DefinitionUnpin(Session& session) { return Pin(session, false); }

}  // namespace baton::cli
