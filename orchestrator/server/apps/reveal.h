// What an answer shows of an app's secrets, by who asks and what for. Which fields hold one is an option of the .proto
// files (wire/secrets/sensitive.h).
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <string>
#include <utility>

#include "orchestrator/app/calls/reveal_book.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/secrets/redact.h"

namespace baton {

// To whom nobody has asked for secrets: what an app wrote before it crashed is for admins and the app's controllers.
wire::Show ShownTo(const ServerDependencies& dependencies, const grpc::ServerContextBase& context);

struct Secrets {
  grpc::Status may;  // else the call ends with it
  wire::Show shown = wire::Show::kNone;
};
// `asked`: the request's reveal_secrets. Who asks baton.v2 and may not see them is refused: fewer than were asked for would be stored as
// if they were all. baton.v1 does not ask: it shows them to who may. `method`: "SERVICE/METHOD".
Secrets SecretsFor(ServerDependencies& dependencies, const grpc::CallbackServerContext& context, bool asked,
                   const char* method);

// What secrets were shown of: an app, or what `subject` says ("domain cf").
struct Revealed {
  const char* method;  // "SERVICE/METHOD" of baton.v2
  std::string guid = {};
  std::string subject = {};
};
// Secrets were shown: it comes into the audit, beside the call. A cell that reads what it runs does not.
void NoteReveal(ServerDependencies& dependencies, const grpc::CallbackServerContext& context, const Revealed& revealed,
                RevealBook::Rows rows = RevealBook::Rows::kEach);

// What fetches a list's pages, and notes with the first one that there are secrets in them.
template <class Page>
std::function<Status(Reader&, Page&, bool&)> Noting(ServerDependencies& dependencies,
                                                    const grpc::CallbackServerContext& context, const Secrets& secrets,
                                                    const Revealed& revealed,
                                                    std::function<Status(Reader&, Page&, bool&)> fetch) {
  if (secrets.shown != wire::Show::kAll) return fetch;
  return [&dependencies, &context, revealed, fetch = std::move(fetch), noted = false](Reader& reader, Page& page,
                                                                                      bool& last) mutable {
    const Status status = fetch(reader, page, last);
    if (status && !std::exchange(noted, true)) NoteReveal(dependencies, context, revealed);
    return status;
  };
}

}  // namespace baton
