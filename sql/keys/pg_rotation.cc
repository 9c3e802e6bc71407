#include "sql/keys/pg_rotation.h"

#include <algorithm>
#include <charconv>

#include "sql/keys/key_labels.h"
#include "sql/session/array.h"

namespace baton {
namespace {

constexpr int kQuarantinedMax = 1000;
constexpr std::int64_t kPageBytesMax = 4 << 20;

bool IsNumber(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Where a table's rotation goes on. A checkpoint that is no key of the table's, as a hand may have left it, is none: the table is
// gone through from its first row on.
std::vector<std::string> Checkpoint(const EncryptedTable& table, std::vector<std::string> stored) {
  if (stored.size() != table.key.size()) return {};
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (table.key[i].number && !IsNumber(stored[i])) return {};
  }
  return stored;
}

}  // namespace

// Rows of a table, locked.
struct PgRotation::Page {
  struct RowBlobs {
    std::string bound;
    std::string place;
    std::vector<std::optional<std::string>> were;    // nothing: no payload
    std::vector<std::optional<std::string>> become;  // nothing: it stays
  };
  std::vector<RowBlobs> rows;
  std::vector<std::string> last;  // the key of the last one
  std::vector<QuarantinedBlob> faults;
};

Status PgRotation::Load() {
  const std::string target = cipher_.active();
  Stored stored;
  const auto tables = EncryptedTables();
  const Status read = session_.Read([&](Session& s) {
    stored.needed = RotationNeeded(s.Run("ReadKeyLabels"), target);
    for (const auto row : s.Run("ReadRotation")) {
      if (row.Text("target") != target) continue;  // one that was given up
      const auto table = std::ranges::find(tables, row.View("table_name"), &EncryptedTable::table);
      if (table == tables.end()) continue;  // of no table that there is
      stored.tables[row.Text("table_name")] = {Checkpoint(*table, row.Array("checkpoint")), row.Int("rows_total"),
                                               row.Int("rows_done"), row.Int("faults"), row.Bool("done")};
      stored.began_at = row.Time("began_at");
    }
    stored.begun = std::ranges::all_of(
        EncryptedTables(), [&](const EncryptedTable& one) { return stored.tables.contains(std::string(one.table)); });
  });
  if (read) stored_ = std::move(stored);
  return read;
}

Status PgRotation::Begin() {
  ArrayParam tables, rows;
  const Status counted = session_.Read([&](Session& s) {
    for (const EncryptedTable& table : EncryptedTables()) {
      tables.Text(table.table);
      rows.Int(s.Run(StatementOf("CountRows", table))[0].Int());
    }
  });
  if (!counted) return counted;
  const std::string target = cipher_.active();
  log_.Info("key_rotation_begins", {{"target", target.empty() ? "plain" : target}});
  return session_.Write([&](Session& s) {
    s.Run("ClearQuarantine");
    s.Run("ForgetRotation");
    s.Run("BeginRotation", {target, tables.str(), rows.str()});
  });
}

Status PgRotation::BeginAgain() {
  Forget();
  return session_.Write([](Session& s) {
    s.Run("ClearQuarantine");
    s.Run("BeginRotationAgain");
  });
}

PgRotation::Page PgRotation::Scan(Session& session, const EncryptedTable& table, int rows_max) {
  std::vector<Param> params = {std::to_string(rows_max), std::to_string(kPageBytesMax)};
  const auto& checkpoint = stored_->tables.at(std::string(table.table)).checkpoint;
  AddBlobKey(table, checkpoint, params);
  Page page;
  for (const auto row : session.Run(StatementOf("ScanBlobs", table), params)) {
    page.last.clear();
    for (const auto& key : table.key) page.last.push_back(row.Text(Column::Of(key.name)));
    Page::RowBlobs& one = page.rows.emplace_back(Page::RowBlobs{row.Text("bound"), row.Text("place"), {}, {}});
    for (const std::string_view name : table.columns) {
      const Column blob = Column::Of(name);
      one.were.push_back(row.IsNull(blob) ? std::nullopt : std::optional(row.Bytes(blob)));
    }
  }
  return page;
}

// What is under the active key already is opened all the same: a rotation that says that it is done has seen every blob.
void PgRotation::Seal(const Session& session, const EncryptedTable& table, Page& page) {
  const std::string begin = EnvelopeBegin(cipher_.active());
  for (Page::RowBlobs& row : page.rows) {
    row.become.resize(row.were.size());
    for (std::size_t i = 0; i < row.were.size(); ++i) {
      if (!row.were[i]) continue;
      const BlobPlace place{table.table, table.columns[i], row.bound};
      auto opened = cipher_.Open(place, *row.were[i]);
      if (!opened) {  // it stays what it is; the row's others go on
        page.faults.push_back({std::string(table.table), std::string(table.columns[i]), row.bound,
                               opened.error().message, {}});
        continue;
      }
      if (!row.were[i]->starts_with(begin)) row.become[i] = session.Seal(place, *opened);
      crypto::Wipe(*opened);
    }
  }
}

void PgRotation::Rewrite(Session& session, const EncryptedTable& table, const Page& page) {
  std::vector<ArrayParam> arrays(1 + table.columns.size());
  for (const Page::RowBlobs& row : page.rows) {
    if (std::ranges::none_of(row.become, [](const auto& blob) { return blob.has_value(); })) continue;
    arrays[0].Text(row.place);
    for (std::size_t i = 0; i < row.become.size(); ++i) {
      row.become[i] ? arrays[1 + i].Bytes(*row.become[i]) : arrays[1 + i].Null();
    }
  }
  if (!arrays[0].empty()) {
    std::vector<Param> params;
    for (const ArrayParam& array : arrays) params.push_back(array.str());
    session.Run(StatementOf("RewriteBlobs", table), params);
  }
  if (page.faults.empty()) return;
  ArrayParam columns, keys, reasons;
  for (const QuarantinedBlob& fault : page.faults) {
    columns.Text(fault.column), keys.Text(fault.key), reasons.Text(fault.reason);
  }
  session.Run("Quarantine",
              {std::string(table.table), columns.str(), keys.str(), reasons.str(), std::to_string(kQuarantinedMax)});
}

Status PgRotation::Copy(const EncryptedTable& table, int rows_max) {
  const TableState before = stored_->tables.at(std::string(table.table));
  TableState next;
  Page page;
  const Status written = session_.Write([&](Session& s) {
    s.Run("CommitWithoutWaiting");
    page = Scan(s, table, rows_max);
    Seal(s, table, page);
    Rewrite(s, table, page);
    next = before;
    if (!page.rows.empty()) next.checkpoint = page.last;
    next.rows_done += static_cast<std::int64_t>(page.rows.size());
    next.faults += static_cast<std::int64_t>(page.faults.size());
    next.done = page.rows.empty();
    ArrayParam checkpoint;
    for (const std::string& part : next.checkpoint) checkpoint.Text(part);
    s.Run("KeepCheckpoint", {std::string(table.table), checkpoint.str(), std::to_string(page.rows.size()),
                             std::to_string(page.faults.size()), next.done ? "t" : "f"});
  });
  if (!written) return written;
  stored_->tables.at(std::string(table.table)) = std::move(next);
  if (!page.faults.empty() && before.faults < kQuarantinedMax) {
    log_.Error("blobs_quarantined", {{"blobs", page.faults.size()}, {"first", page.faults.front().reason}});
  }
  return Done{};
}

// Each row was looked at. It is done when two counts find nothing else, page by page: what is written meanwhile is sealed
// with the key that is in use, so no page changes behind the count.
Status PgRotation::Verify() {
  if (!count_) {
    // What was sealed with a key from before is committed, or never will be, before anything is counted.
    const Status over = session_.Write([&](Session& s) {
      s.Run("AwaitWriters", {session_.leadership().name, std::to_string(session_.leadership().epoch)});
    });
    if (over) count_ = CountState();
    return over;
  }
  const EncryptedTable& table = EncryptedTables()[count_->table];
  std::vector<Param> params = {BytesParam(EnvelopeBegin(cipher_.active())), std::to_string(kCountedRows)};
  AddBlobKey(table, count_->after, params);
  std::int64_t others = 0;
  const Status counted = session_.Read([&](Session& s) {
    const Rows page = s.Run(StatementOf("CountOthers", table), params);
    count_->after.clear();
    if (page.empty()) return;
    for (const auto& key : table.key) count_->after.push_back(page[0].Text(Column::Of(key.name)));
    others = page[0].Int("others");
  });
  if (!counted) return counted;
  if (others > 0) return BeginAgain();  // rows that other transactions had locked
  if (!count_->after.empty() || ++count_->table < EncryptedTables().size()) return Done{};
  count_->table = 0;
  return ++count_->looks < 2 ? Status(Done{}) : Finish();
}

Status PgRotation::Finish() {
  const std::string target = cipher_.active();
  const Status written = session_.Write([&](Session& s) {
    s.Run("RetireOtherKeys", {target});
    if (!target.empty()) s.Run("SetStoredKey", {target});
  });
  if (!written) return written;
  Forget();
  log_.Info("key_rotation_done", {{"target", target.empty() ? "plain" : target}});
  return Done{};
}

// The next step reads the database again.
void PgRotation::Forget() {
  stored_.reset();
  count_.reset();
}

RotationProgress PgRotation::Progress(RotationState state) const {
  RotationProgress progress{.state = state, .target = cipher_.active()};
  if (!stored_) return progress;
  progress.began_at = stored_->began_at;
  for (const auto& [name, table] : stored_->tables) {
    progress.rows_total += std::max(table.rows_total, table.rows_done);
    progress.rows_done += table.rows_done;
    progress.faults += table.faults;
  }
  return progress;
}

Result<RotationProgress> PgRotation::Look() {
  if (!stored_) {
    if (Status loaded = Load(); !loaded) return loaded.error();
  }
  if (!stored_->needed) return Progress(RotationState::kDone);
  const bool all_seen =
      stored_->begun && std::ranges::all_of(stored_->tables, [](const auto& t) { return t.second.done; });
  const bool stuck = all_seen && Progress(RotationState::kStuck).faults > 0;
  return Progress(stuck ? RotationState::kStuck : RotationState::kWorking);
}

Result<RotationProgress> PgRotation::Step(int rows_max) {
  if (!stored_) {
    if (Status loaded = Load(); !loaded) return loaded.error();
  }
  if (!stored_->needed) return Progress(RotationState::kDone);
  Status done = Done{};
  if (!stored_->begun) {
    done = Begin();
    Forget();
  } else {
    const auto tables = EncryptedTables();
    const auto next = std::ranges::find_if(
        tables, [&](const EncryptedTable& table) { return !stored_->tables.at(std::string(table.table)).done; });
    if (next != tables.end()) {
      done = Copy(*next, rows_max);
    } else if (Progress(RotationState::kStuck).faults > 0) {
      return Progress(RotationState::kStuck);
    } else {
      done = Verify();
    }
  }
  if (done) return Progress(RotationState::kWorking);
  Forget();  // whether it was committed is read
  return done.error();
}

}  // namespace baton
