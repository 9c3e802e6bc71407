// Two lists of thirty apps, kept as their keepers keep them, and whoever else writes.
#pragma once

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/uuid.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/values.h"
#include "sql/read/pg_reader.h"
#include "tests/sql/pg_store_test.h"

namespace baton {

inline constexpr int kApps = 30;
inline constexpr int kMost = 20;  // rows that are read again, and not all of them
inline constexpr char kTheirs[] =
    "SET LOCAL session_replication_role = replica; ";  // no trigger and no foreign key of ours

inline std::string Guid(int number) { return "app-" + std::to_string(100 + number); }

inline std::string Encoded(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream out(&stream);
  out.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&out);
  out.Trim();
  return bytes;
}

inline ListPlace PlaceOf(const DesiredRead& row) { return {row.guid}; }
inline ListPlace PlaceOf(const ActualRead& row) { return {row.guid, row.lrp.id}; }

inline std::string Shown(const DesiredRead& row) {
  v2::DesiredLRP app;
  EXPECT_TRUE(wire::Fill(row.active, row.run_info, *app.mutable_definition()));
  wire::Fill(row.guid, row.desired, app);
  app.set_roll_id(row.open_roll.str());
  return Encoded(app);
}
inline std::string ShownInfo(const DesiredRead& row) {
  v2::DesiredLRPSchedulingInfo info;
  wire::FillSchedulingInfo(row.guid, row.desired, row.active, info);
  return Encoded(info);
}
inline std::string Shown(const ActualRead& row) {
  v2::ActualLRP lrp;
  wire::Fill(row.guid, row.lrp, lrp);
  return Encoded(lrp);
}

// Rows as somebody keeps them.
using Kept = std::map<ListPlace, std::string>;

template <class Row>
Kept KeptOf(const std::vector<Row>& rows) {
  Kept kept;
  for (const Row& row : rows) kept.emplace(PlaceOf(row), Shown(row));
  return kept;
}

class Chunks : public PgStoreTest {
 protected:
  Chunks() {
    EXPECT_TRUE(Do(Desire(ProcessGuid(Guid(0)), 1)));
    EXPECT_TRUE(Do([] {
      TestCall call{{.name = "insert", .guid = ProcessGuid(Guid(0)), .actor = "test"}};
      call.decide = [](AppEdit& edit) {
        edit.Insert({.incarnation = edit.state().desired->incarnation, .index = 0, .definition = DefinitionId("v1")});
        return Status(Done{});
      };
      return call;
    }()));
    for (int i = 1; i < kApps; ++i) Sql(Copy(Guid(i)));
    apps_ = Whole(*Desired());
    instances_ = Whole(*Actuals());
    EXPECT_EQ(apps_.rows.size(), static_cast<std::size_t>(kApps));
    EXPECT_EQ(instances_.rows.size(), static_cast<std::size_t>(kApps));
  }

  static std::string Copy(const std::string& guid) {
    const auto copy = [&](const std::string& table, const std::string& more) {
      return "INSERT INTO " + table + " SELECT (jsonb_populate_record(t, jsonb_build_object('process_guid', '" + guid +
             "'" + more + "))).* FROM " + table + " t WHERE t.process_guid = '" + Guid(0) + "'; ";
    };
    return copy("definitions", "") + copy("desired_lrps", "") +
           copy("actual_lrps", ", 'actual_id', '" + RandomUuid() + "'");
  }

  Result<Page<DesiredRead>> Desired() {
    ProcessGuid after;
    return reader_.ListDesired({}, after, 1000);
  }
  Result<Page<ActualRead>> Actuals() {
    ProcessGuid after;
    ActualId id;
    return reader_.ListActuals({}, after, id, 1000);
  }

  // What is kept of a list: of all of it, or between two places.
  struct Chunk {
    KeptChunk where;
    Kept rows;
  };
  template <class Row>
  Chunk Whole(const Page<Row>& page) {
    Chunk chunk{.where = {.mark = page.mark}, .rows = KeptOf(page.rows)};
    return chunk;
  }
  static Kept Within(const KeptChunk& where, Kept rows) {
    std::erase_if(rows, [&](const auto& entry) {
      return entry.first <= where.after || (where.last && entry.first > *where.last);
    });
    return rows;
  }

  // What was read since is the same in the list of scheduling infos, which reads less of it.
  void ExpectInfo(const DesiredRead& row) {
    ProcessGuid after;
    const auto infos = reader_.ListDesired({.domain = {}, .guids = {row.guid}, .scheduling_only = true}, after, 10);
    ASSERT_EQ(infos->rows.size(), 1u);
    EXPECT_EQ(ShownInfo(row), ShownInfo(infos->rows[0]));
  }
  // Brings it up to date, as its keeper does. Nothing: it is to be read anew.
  template <class Row>
  std::optional<std::vector<ListPlace>> Update(Chunk& chunk, const Result<ChunkSince<Row>>& since) {
    if (!since || since->anew) return std::nullopt;
    std::vector<ListPlace> written;
    for (const Row& row : since->written) {
      written.push_back(PlaceOf(row));
      chunk.rows[PlaceOf(row)] = Shown(row);
      if constexpr (std::is_same_v<Row, DesiredRead>) ExpectInfo(row);
    }
    EXPECT_TRUE(std::ranges::is_sorted(written));
    for (const ListPlace& place : since->removed)
      EXPECT_EQ(chunk.rows.erase(place), 1u) << place.guid << "/" << place.id;
    chunk.where.mark = since->mark;
    return written;
  }
  const KeptChunk& WithRows(Chunk& chunk) {
    chunk.where.rows.clear();
    for (const auto& [place, shown] : chunk.rows) chunk.where.rows.push_back(place);
    return chunk.where;
  }
  // Brings it up to date, or reads it anew, and compares it with all rows. How many rows were read again; -1: all.
  template <class Row>
  int Refresh(Chunk& chunk, const Result<ChunkSince<Row>>& since, const Result<Page<Row>>& all,
              const std::string& after) {
    const auto written = Update(chunk, since);
    if (!written) {
      chunk.rows = Within(chunk.where, KeptOf(all->rows));
      chunk.where.mark = all->mark;
    }
    EXPECT_TRUE(chunk.rows == Within(chunk.where, KeptOf(all->rows))) << after;
    return written ? static_cast<int>(written->size()) : -1;
  }
  // Both lists.
  void Expect(const std::string& after) {
    apps_read_ = Refresh(apps_, reader_.ReadDesiredSince(WithRows(apps_), kMost), Desired(), "apps after " + after);
    instances_read_ = Refresh(instances_, reader_.ReadActualsSince(WithRows(instances_), kMost), Actuals(),
                              "instances after " + after);
  }
  // Only what lies behind one app up to another.
  void Cut(int after, int last) {
    apps_.where.after = {ProcessGuid(Guid(after))};
    apps_.where.last = {ProcessGuid(Guid(last))};
    apps_.rows = Within(apps_.where, apps_.rows);
    const auto place = [&](int app) {
      return std::ranges::find_if(instances_.rows,
                                  [&](const auto& entry) { return entry.first.guid.str() == Guid(app); })
          ->first;
    };
    const ListPlace from = place(after);
    instances_.where.last = place(last);
    instances_.where.after = from;
    instances_.rows = Within(instances_.where, instances_.rows);
  }

  std::unique_ptr<Session> session_ = [this] {
    auto session = Session::Open(direct_url_, PlainCipher(), Session::Plans::kPoints);  // as PgReads has them
    EXPECT_TRUE(session);
    return *std::move(session);
  }();
  PgReader reader_{*session_, log_};
  Chunk apps_;
  Chunk instances_;
  int apps_read_ = 0;  // again; -1: all
  int instances_read_ = 0;
};

}  // namespace baton
