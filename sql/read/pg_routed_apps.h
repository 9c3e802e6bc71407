// RoutedApps over PostgreSQL: who was written since is asked of the outbox, in which each commit says so.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/ports/routed_apps.h"
#include "sql/read/app_reader.h"
#include "sql/read/event_gaps.h"
#include "sql/read/routed_reader.h"
#include "sql/session/kept_session.h"

namespace baton {

class PgRoutedApps final : public RoutedApps {
 public:
  explicit PgRoutedApps(std::string url, const Cipher& cipher = PlainCipher())
      : cipher_(cipher), session_(std::move(url), cipher, Session::Plans::kPoints) {}
  Result<bool> Begin() override;
  Result<Page> ReadPage(const ProcessGuid& after, int limit, bool ahead = false) override;
  Result<Written> Since() override;

 private:
  // A sequence that was given out, and who may have written events up to it that were not committed then.
  struct Place {
    std::int64_t sequence = 0;
    EventGaps::Writers writers;
  };
  struct Look {
    EventGaps::Writers before;  // who may write, before anything else was looked at
    Place newest;
    std::int64_t oldest = 0;  // that is kept; 0: none is
    std::string history;      // the server, the tables, and which schema counts since when
    bool ours = false;        // it is of this program's schema, and stays so
  };
  // A page as PostgreSQL sent it. While one is decoded, which takes as long, the next one is read: all of them are what a
  // cold start waits for.
  struct RawPage {
    RoutedRows rows;
    std::optional<ProcessGuid> next;
  };
  struct Ahead {
    ProcessGuid after;
    int limit;
    std::future<Result<RawPage>> page;
  };
  static Look LookNow(Session& session);
  Result<RawPage> ReadRaw(const ProcessGuid& after, int limit);
  // That page, which may have been read ahead.
  Result<RawPage> RawPageAfter(const ProcessGuid& after, int limit);
  Status Run(Session::Isolation isolation, const std::function<void(Session&)>& body);
  // Those that cannot be read are left out; `broken`: those of them that are not known to be.
  std::vector<AppState> Take(LoadedApps loaded, std::vector<std::string>& broken);

  const Cipher& cipher_;
  KeptSession session_;  // of the page that is read ahead, where there is one
  std::int64_t told_ = 0;  // all up to here was told; of what comes behind it some was
  Place next_;             // what `told_` will be, when its writers are gone
  std::string history_;
  std::set<ProcessGuid> broken_;
  std::optional<Ahead> ahead_;  // goes first, and waits for its thread
};

}  // namespace baton
