#include "tests/server/foreign_hands.h"

#include <chrono>
#include <utility>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

// Neither its triggers nor its foreign keys are asked: a restored table's rows come so.
constexpr char kUnseen[] = "SET LOCAL session_replication_role = replica; ";
constexpr char kEvent[] =
    "INSERT INTO events (at, kind, process_guid, incarnation, payload) VALUES (now(), 'actual_changed', 'theirs', 1, "
    "'BT\\001\\000'::bytea)";

int Draw(std::mt19937& random, int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); }

}  // namespace

ForeignHands::ForeignHands(std::string url, std::vector<std::string> apps, bool sealed, unsigned seed)
    : url_(std::move(url)), apps_(std::move(apps)), sealed_(sealed) {
  threads_.emplace_back([this, seed] { Edit(seed); });
  threads_.emplace_back([this, seed] { EditSlowly(seed + 1); });
  threads_.emplace_back([this, seed] { WriteEvents(seed + 2); });
}

void ForeignHands::Stop() {
  over_ = true;
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

// How long others' hands take, between two edits and while one is open.
void ForeignHands::Linger(std::mt19937& random, int most_ms) const {
  (void)Eventually([this] { return over_.load(); }, std::chrono::milliseconds(Draw(random, most_ms)));
}

std::string ForeignHands::AnEdit(std::mt19937& random) const {
  const std::string app = "'" + apps_[random() % apps_.size()] + "'";
  const std::string number = std::to_string(Draw(random, 1000));
  const std::string row = " WHERE actual_id = (SELECT actual_id FROM actual_lrps WHERE process_guid = " + app +
                          " ORDER BY actual_id OFFSET " + std::to_string(Draw(random, 6)) + " LIMIT 1)";
  const std::string of_app = " WHERE process_guid = " + app;
  const int what = Draw(random, 14);
  const bool copies = what == 4 || what == 9;
  switch (sealed_ && copies ? 0 : what) {
    case 0: return "UPDATE actual_lrps SET zone = '" + number + "'" + row;
    case 1: return "UPDATE actual_lrps SET crash_count = 3, since = now()" + row;
    case 2: return "UPDATE actual_lrps SET retire_asked = true" + row;
    case 3: return "DELETE FROM actual_lrps" + row;
    case 4:  // nobody has ordered it
      return "INSERT INTO actual_lrps SELECT (jsonb_populate_record(a, jsonb_build_object('actual_id', "
             "gen_random_uuid()::text, "
             "'instance_index', 500 + " +
             number +
             ", 'instance_guid', gen_random_uuid()::text))).* FROM actual_lrps a "
             "WHERE a.presence = 'ORDINARY' AND a.process_guid = " +
             app + " ORDER BY a.actual_id LIMIT 1";
    case 5: return "UPDATE desired_lrps SET instances = " + std::to_string(Draw(random, 14)) + of_app;
    case 6: return "UPDATE desired_lrps SET log_guid = '" + number + "' WHERE process_guid = " + app;
    case 7: return kUnseen + ("UPDATE definitions SET memory_mb = 16 + " + number + " WHERE process_guid = ") + app;
    case 8:
      return kUnseen +
             ("UPDATE actual_lrps SET zone = '" + number + "', modification_tag_index = modification_tag_index + 1") +
             row;
    case 9:
      return "UPDATE desired_lrps SET routes = (SELECT routes FROM desired_lrps ORDER BY random() LIMIT 1)" + of_app;
    case 10: return kUnseen + ("DELETE FROM desired_lrps" + of_app);
    case 11:
      return kUnseen + ("DELETE FROM desired_lrps" + of_app + "; DELETE FROM actual_lrps" + of_app +
                        "; DELETE FROM rolls" + of_app);
    case 12: return kUnseen + ("DELETE FROM actual_lrps" + of_app);
    default: return "UPDATE actual_lrps SET routable_since = NULL" + row + " AND state = 'RUNNING'";
  }
}

void ForeignHands::Edit(unsigned seed) {
  std::mt19937 random(seed);
  const auto session = OpenSession(url_);
  while (!over_) {
    const std::string edit = AnEdit(random);
    Count(session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return s.RunScript(edit), true; })
              .ok());
    Linger(random, 8);
  }
}

// Several at a time, and not all of them stand.
void ForeignHands::EditSlowly(unsigned seed) {
  std::mt19937 random(seed);
  const auto session = OpenSession(url_);
  while (!over_) {
    bool stands = Draw(random, 3) != 0;
    stands = session
                 ->Transact(Session::Isolation::kReadCommitted,
                            [&](Session& s) {
                              for (int i = 1 + Draw(random, 3); i > 0; --i) {
                                s.RunScript(AnEdit(random));
                                Linger(random, 30);
                              }
                              return stands;
                            })
                 .ok() &&
             stands;
    Count(stands);
  }
}

// Takes a sequence, keeps it for a while, and commits it or not: nobody may pass it meanwhile.
void ForeignHands::WriteEvents(unsigned seed) {
  std::mt19937 random(seed);
  const auto session = OpenSession(url_);
  while (!over_) {
    const bool stands = Draw(random, 3) != 0;
    const bool done = session
                          ->Transact(Session::Isolation::kReadCommitted,
                                     [&](Session& s) {
                                       if (Draw(random, 2) == 0) s.RunScript("SELECT pg_current_xact_id()");
                                       s.RunScript(kEvent);
                                       Linger(random, 30);
                                       return stands;
                                     })
                          .ok();
    Count(done && stands);
    Linger(random, 20);
  }
}

}  // namespace baton
