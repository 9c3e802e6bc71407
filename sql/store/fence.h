// Every writing transaction begins with the fence: the lease row of this process's own epoch, held against an election
// until the commit, and never against a renewal. A leader that was deposed writes nothing, whatever it believes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "orchestrator/ports/log.h"
#include "sql/session/session.h"

namespace baton {

class DualWriter;

struct Leadership {
  std::string name;
  std::int64_t epoch = 0;
  DualWriter* dual_writer = nullptr;  // another layout that every batch is written to as well
};

struct FencedEnd {
  SessionError error;  // nothing was committed, or, where it is in doubt, perhaps
  bool leads = false;  // without an error: false where the fence found no row, and `body` was not run
};

// `now` is the database's clock. READ COMMITTED; blocks for the whole transaction.
FencedEnd TransactFenced(Session& session, const Leadership& leadership,
                         const std::function<void(Session&, TimePoint now)>& body);
// The same, and `first` is sent together with the fence, behind it: `body` gets its rows.
FencedEnd TransactFenced(Session& session, const Leadership& leadership, std::vector<Session::Step> first,
                         const std::function<void(Session&, TimePoint now, std::vector<Rows> rows)>& body);

// What a caller is told of a transaction that the server had no disk, memory or connection for.
Error ExhaustedError(const SessionError& error);

// The same for those who answer with a status: UNAVAILABLE or RESOURCE_EXHAUSTED, with a hint when to
// ask again; why is logged.
Status WriteFenced(Session& session, const Leadership& leadership, Log& log, const std::function<void(Session&)>& body);

}  // namespace baton
