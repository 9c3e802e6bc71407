// Others take every connection that PostgreSQL has, and batond loses its own. It asks again now and then, not as fast as
// it can, and goes on when there is room.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "tests/fakes/own_postgres.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

class Others {
 public:
  explicit Others(std::string url) : url_(std::move(url) + " application_name=others") {}
  // Ends every session that is not theirs, and takes what is free.
  void Take() {
    for (const auto& session : sessions_) {
      const SessionError ended = session->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
        s.RunScript("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE backend_type = 'client backend' AND application_name <> 'others'");
        return true;
      });
      if (ended.ok()) break;
    }
    while (auto session = Session::Open(url_)) sessions_.push_back(*std::move(session));
  }
  void Leave() { sessions_.clear(); }
  std::size_t size() const { return sessions_.size(); }

 private:
  std::string url_;
  std::vector<std::unique_ptr<Session>> sessions_;
};

int RefusedConnections(const std::string& log) {
  std::ifstream file(log);
  int count = 0;
  for (std::string line; std::getline(file, line);) count += line.find("too many clients already") != std::string::npos;
  return count;
}

// Every read tried to connect anew, as fast as reads came.
TEST(ConnectionStorm, AskedAgainNowAndThenAndItGoesOnWhenThereIsRoom) {
  constexpr std::size_t kConnections = 25;
  OwnPostgres own({"max_connections=" + std::to_string(kConnections)});
  RunningService service(own.postgres->url());
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("before")).ok());

  Others others(own.postgres->url());
  others.Take();  // its first session, to end the others with
  ASSERT_TRUE(Eventually([&] { return others.Take(), others.size() == kConnections; })) << others.size();
  ASSERT_TRUE(Eventually([&] { return !service.Serving(); })) << "its lease cannot be renewed";

  std::atomic<bool> over{false};
  std::atomic<int> reads{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!over) {
        v2::VersionsResponse versions;
        EXPECT_FALSE(service.admin->Versions(Context().get(), {}, &versions).ok());
        ++reads;
      }
    });
  }
  const int before = RefusedConnections(own.log());
  const auto began = std::chrono::steady_clock::now();
  constexpr double kSeconds = 3;
  double took = 0;
  // A time to count in, not one to wait for something.
  EXPECT_TRUE(Eventually([&] {
    took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return took >= kSeconds;
  }));
  const int attempts = RefusedConnections(own.log()) - before;
  const int asked = reads;
  over = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_GT(attempts, 0) << "it does not ask any more";
  EXPECT_LT(attempts / took, 40) << "of all its parts together";
  EXPECT_GT(asked / took, 200) << "nobody has asked for much: this would have shown nothing";

  others.Leave();
  service.WaitForLead();
  EXPECT_TRUE(service.Desire(RunningService::SmallApp("after")).ok());
  std::cout << "connection storm: " << attempts / took << " attempts to connect a second, beside " << asked / took
            << " reads a second\n";
}

}  // namespace
}  // namespace baton
