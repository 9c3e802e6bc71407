// What a standby has is completed where it leads, or thrown away; whatever is wished while its database does not
// answer.
#include "orchestrator/app/leader/routed_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <future>

#include "tests/fakes/logged_lines.h"
#include "tests/fakes/no_metrics.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Apps as numbers of their versions, of which several copies are read.
class Database {
 public:
  void Write(const std::string& guid) {
    const std::lock_guard lock(mutex_);
    ++apps_[guid];
    written_.push_back(guid);
  }
  std::map<std::string, int> all() const {
    const std::lock_guard lock(mutex_);
    return apps_;
  }
  // This call waits from here on, until it is let go.
  void Hold(const std::string& call) {
    const std::lock_guard lock(mutex_);
    held_ = call;
  }
  void LetGo() {
    const std::lock_guard lock(mutex_);
    held_.clear();
    wake_.notify_all();
  }
  void AwaitHeld() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return waits_; });
  }
  // Whether it is answered.
  bool Pass(const std::string& call) {
    std::unique_lock lock(mutex_);
    waits_ = held_ == call;
    wake_.notify_all();
    wake_.wait(lock, [&] { return held_ != call; });
    waits_ = false;
    if (fails) ++failed;
    return !fails;
  }
  std::size_t Written(std::size_t from, std::set<std::string>& into) const {
    const std::lock_guard lock(mutex_);
    for (; from < written_.size(); ++from) into.insert(written_[from]);
    return from;
  }
  AppState State(const std::string& guid) const {
    const std::lock_guard lock(mutex_);
    AppState app{.guid = ProcessGuid(guid)};
    app.desired.emplace().instances = apps_.at(guid);
    return app;
  }
  std::atomic<bool> fails{false};
  std::atomic<bool> other_history{false};
  std::atomic<int> begun{0};
  std::atomic<int> failed{0};

 private:
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, int> apps_;
  std::vector<std::string> written_;
  std::string held_;
  bool waits_ = false;
};

// A page has one app.
class Copy final : public RoutedApps {
 public:
  explicit Copy(Database& database) : database_(database) {}
  Result<bool> Begin() override {
    if (!database_.Pass("begin")) return Error{ErrorKind::kUnavailable, "away", {}};
    ++database_.begun;
    database_.other_history = false;
    std::set<std::string> before;
    from_ = database_.Written(0, before);
    return true;
  }
  Result<Page> ReadPage(const ProcessGuid& after, int, bool) override {
    if (!database_.Pass("page after " + after.str())) return Error{ErrorKind::kUnavailable, "away", {}};
    Page page;
    const auto all = database_.all();
    const auto at = all.upper_bound(after.str());
    if (at == all.end()) return page;
    page.apps.push_back(database_.State(at->first));
    if (std::next(at) != all.end()) page.next = ProcessGuid(at->first);
    return page;
  }
  Result<Written> Since() override {
    if (!database_.Pass("since")) return Error{ErrorKind::kUnavailable, "away", {}};
    Written written;
    if (database_.other_history) return written.anew = true, written;
    std::set<std::string> guids;
    from_ = database_.Written(from_, guids);
    for (const std::string& guid : guids) written.apps.push_back(database_.State(guid));
    return written;
  }

 private:
  Database& database_;
  std::size_t from_ = 0;
};

class RoutedCopyTest : public ::testing::Test {
 protected:
  RoutedCopyTest() {
    for (const char* guid : {"a", "b", "c"}) database_.Write(guid);
  }
  ~RoutedCopyTest() override {
    database_.LetGo();
    copy_.Stop();
    loop_.Stop();
  }
  // How many were read after the election.
  std::future<std::int64_t> Lead(bool keep = true) {
    auto read = std::make_shared<std::promise<std::int64_t>>();
    copy_.Lead(keep, [read](std::int64_t count) { read->set_value(count); });
    return read->get_future();
  }
  std::map<std::string, int> Kept() {
    std::promise<std::map<std::string, int>> kept;
    loop_.Post([&] { kept.set_value(kept_); });
    return kept.get_future().get();
  }
  void StandByWithAll() {
    copy_.StandBy();
    ASSERT_TRUE(stack::WaitFor(std::chrono::seconds(10), {}, [&] { return Kept() == database_.all(); }));
  }

  Database database_;
  LoggedLines log_;
  NoMetrics metrics_;
  Loop loop_;
  std::map<std::string, int> kept_;  // on the loop
  RoutedCopy copy_{[this] { return std::make_unique<Copy>(database_); },
                   {.clear = [this] { kept_.clear(); },
                    .take = [this](const AppState& app) { kept_[app.guid.str()] = app.desired->instances; }},
                   loop_,
                   log_,
                   metrics_};
};

TEST_F(RoutedCopyTest, WithoutACopyAllIsRead) {
  EXPECT_EQ(Lead().get(), 3);
  EXPECT_EQ(Kept(), database_.all());
  EXPECT_EQ(database_.begun, 0) << "nobody can have written since";
}

TEST_F(RoutedCopyTest, OfACopyWhatWasWrittenSinceIsRead) {
  StandByWithAll();
  database_.Write("b");
  database_.Write("d");
  EXPECT_LE(Lead().get(), 2);
  EXPECT_EQ(Kept(), database_.all());
}

TEST_F(RoutedCopyTest, AStandbyFollows) {
  StandByWithAll();
  database_.Write("b");
  EXPECT_TRUE(stack::WaitFor(std::chrono::seconds(10), {}, [&] { return Kept() == database_.all(); }));
}

// It goes on where it is, and what was written of the pages before is asked for.
TEST_F(RoutedCopyTest, ACopyThatIsBegunIsCompleted) {
  database_.Hold("page after a");
  copy_.StandBy();
  database_.AwaitHeld();
  auto read = Lead();
  database_.Write("a");
  database_.LetGo();
  EXPECT_EQ(read.get(), 2) << "c, and a; b was under way";
  EXPECT_EQ(Kept(), database_.all());
  EXPECT_EQ(database_.begun, 1);
}

TEST_F(RoutedCopyTest, ThatIsNotToBeKeptIsReadAgain) {
  StandByWithAll();
  EXPECT_EQ(Lead(/*keep=*/false).get(), 3);
}

TEST_F(RoutedCopyTest, OfAnotherHistoryAllIsRead) {
  StandByWithAll();
  database_.Hold("since");
  database_.other_history = true;
  auto read = Lead();
  database_.LetGo();
  EXPECT_EQ(read.get(), 3);
}

TEST_F(RoutedCopyTest, WhoLedBeginsAnew) {
  StandByWithAll();
  (void)Lead().get();
  copy_.Drop();
  database_.Write("c");
  StandByWithAll();
  EXPECT_EQ(database_.begun, 2);
}

// While one tick waits for its database this process is deposed, another one leads and writes, and it is elected again.
TEST_F(RoutedCopyTest, NoWishIsLostWhileADatabaseDoesNotAnswer) {
  database_.Hold("page after b");
  auto first = Lead();
  database_.AwaitHeld();
  copy_.Drop();
  copy_.StandBy();
  for (const char* guid : {"a", "b", "c"}) database_.Write(guid);
  auto second = Lead();
  database_.LetGo();
  EXPECT_EQ(second.get(), 3) << "nothing of the first reading is kept";
  EXPECT_EQ(Kept(), database_.all());
  EXPECT_THROW((void)first.get(), std::future_error) << "it leads no more";
}

TEST_F(RoutedCopyTest, AFailureIsToldOnceByAStandbyAndAlwaysByWhoLeads) {
  database_.fails = true;
  copy_.StandBy();
  ASSERT_TRUE(stack::WaitFor(std::chrono::seconds(10), {}, [&] {
    return !log_.With({{"event", "standby_copy_failed"}}).empty();
  }));
  auto read = Lead();
  ASSERT_TRUE(stack::WaitFor(std::chrono::seconds(10), {}, [&] {
    return log_.With({{"event", "loading_failed"}}).size() > 1;
  }));
  EXPECT_EQ(log_.With({{"event", "standby_copy_failed"}}).size(), 1U);
  database_.fails = false;
  EXPECT_EQ(read.get(), 3);
  EXPECT_EQ(Kept(), database_.all());
}

}  // namespace
}  // namespace baton
