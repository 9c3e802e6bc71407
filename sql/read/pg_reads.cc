#include "sql/read/pg_reads.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "sql/read/pg_reader.h"

namespace baton {
namespace {

constexpr std::size_t kGetTogether = 256;
constexpr int kGettersMax = 2;  // threads: with more of them each gets less at a time

}  // namespace

PgReads::PgReads(const std::string& url, int threads, Log& log, const Cipher& cipher, std::size_t queue_max)
    : log_(log), queue_max_(queue_max * static_cast<std::size_t>(threads)) {
  for (int i = 0; i < threads; ++i) workers_.push_back(std::make_unique<SessionWorker>(url, cipher, queue_max));
}

void PgReads::Run(std::function<void(Result<Reader*>)> work) {
  // The one that has least to do, from another one on each time: a short read does not wait behind a long one.
  const std::size_t first = next_++;
  SessionWorker* idlest = nullptr;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    SessionWorker* one = workers_[(first + i) % workers_.size()].get();
    if (!idlest || one->load() < idlest->load()) idlest = one;
  }
  idlest->Run([this, work = std::move(work)](Result<Session*> session) {
    if (!session) return work(session.error());
    PgReader reader(**session, log_, routers_);
    work(Result<Reader*>(&reader));
  });
}

void PgReads::Get(const ProcessGuid& guid, Got got) {
  {
    const std::lock_guard lock(mutex_);
    if (wanted_.size() < queue_max_) {
      wanted_.push_back({guid, std::move(got)});
      if (getting_ == kGettersMax) return;
      ++getting_;
      got = nullptr;
    }
  }
  if (got) return got(TooMuchWaits(queue_max_));
  Run([this](Result<Reader*> reader) { TakeWanted(reader); });
}

void PgReads::TakeWanted(Result<Reader*> reader) {
  std::vector<Wanted> taken;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t count = reader ? std::min(wanted_.size(), kGetTogether) : wanted_.size();
    std::move(wanted_.begin(), wanted_.begin() + static_cast<std::ptrdiff_t>(count), std::back_inserter(taken));
    wanted_.erase(wanted_.begin(), wanted_.begin() + static_cast<std::ptrdiff_t>(count));
  }
  Answer(reader, taken);
  {
    const std::lock_guard lock(mutex_);
    if (wanted_.empty() || !reader) return void(--getting_);  // the next read tries again
  }
  Run([this](Result<Reader*> next) { TakeWanted(next); });  // others' reads of this thread come in between
}

void PgReads::Answer(Result<Reader*> reader, const std::vector<Wanted>& wanted) {
  std::vector<ProcessGuid> guids;
  for (const Wanted& one : wanted) guids.push_back(one.guid);
  std::map<ProcessGuid, Result<DesiredRead>> read;
  std::optional<Error> failed;
  if (!reader) {
    failed = reader.error();
  } else if (auto page = (*reader)->GetDesired(guids); !page) {
    failed = page.error();
  } else {
    for (DesiredRead& row : page->rows) read.emplace(row.guid, std::move(row));
    for (const BrokenRow& row : page->broken) {
      read.emplace(ProcessGuid(row.key), Error{ErrorKind::kDataLoss, row.row + ": " + row.fault, {}});
    }
  }
  for (const Wanted& one : wanted) {
    const auto at = read.find(one.guid);
    if (failed) {
      one.got(*failed);
    } else if (at == read.end()) {
      one.got(Error{ErrorKind::kNotFound, "process_guid " + one.guid.str() + " is not desired", {}});
    } else {
      one.got(at->second);
    }
  }
}

void PgReads::Stop() {
  for (auto& worker : workers_) worker->Stop();
}

}  // namespace baton
