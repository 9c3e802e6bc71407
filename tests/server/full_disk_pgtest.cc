// PostgreSQL's disk is full, really: a small file system of its own, filled to the last block. Needs root.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "tests/fakes/own_postgres.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SmallDisk {
 public:
  SmallDisk() {
    char path[] = "/tmp/baton-full-XXXXXX";
    CHECK(mkdtemp(path) != nullptr);
    dir_ = path;
    mounted_ = mount("tmpfs", path, "tmpfs", 0, "size=200m,mode=0755") == 0;
    if (!mounted_) why_ = std::strerror(errno);
  }
  ~SmallDisk() {
    if (mounted_) (void)umount2(dir_.c_str(), MNT_DETACH);
    std::filesystem::remove_all(dir_);
  }
  bool mounted() const { return mounted_; }
  const std::string& why() const { return why_; }
  std::string Path(const std::string& name) const { return dir_ + "/" + name; }

  // To the last block; what is freed meanwhile as well.
  void Fill() {
    const int file = open(Path("filler").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ASSERT_GE(file, 0);
    const std::string block(4096, 'x');
    while (write(file, block.data(), block.size()) > 0) {
    }
    EXPECT_EQ(errno, ENOSPC);
    close(file);
  }
  void Free() { ASSERT_TRUE(std::filesystem::remove(Path("filler"))); }

 private:
  std::string dir_, why_;
  bool mounted_ = false;
};

struct Answer {
  grpc::Status status;
  int retry_after_ms = 0;
};

class FullDisk : public ::testing::Test {
 protected:
  // With as much text as does not compress: its rows need blocks of their own.
  Answer Desire(RunningService& service, const std::string& guid) {
    v2::DesireLRPRequest request = RunningService::SmallApp(guid);
    std::string noise(60'000, ' ');
    for (char& c : noise) c = static_cast<char>('!' + random_() % 90);
    auto* variable = request.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->add_environment_variables();
    variable->set_name("NOISE");
    variable->set_value(noise);
    const auto context = Context();
    v2::DesireLRPResponse response;
    Answer answer{service.apps->DesireLRP(context.get(), request, &response)};
    const auto& trailers = context->GetServerTrailingMetadata();
    const auto at = trailers.find("baton-retry-after-ms");
    if (at != trailers.end()) answer.retry_after_ms = std::atoi(std::string(at->second.data(), at->second.size()).c_str());
    if (answer.status.ok()) acknowledged_.insert(guid);
    return answer;
  }
  static bool Knows(RunningService& service, const std::string& guid) {
    v2::GetDesiredLRPRequest get;
    get.set_process_guid(guid);
    v2::GetDesiredLRPResponse got;
    return service.apps->GetDesiredLRP(Context().get(), get, &got).ok();
  }

  std::mt19937 random_{20261121};
  std::set<std::string> acknowledged_;
};

// Was answered with INTERNAL and "the database refused it (53100)", as if it were a bug that no client should ask of again.
TEST_F(FullDisk, WritesAreRefusedWithAHintReadsGoOnAndNothingThatWasAcknowledgedIsLost) {
  SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "a file system of its own cannot be mounted: " << disk.why();
  OwnPostgres own({"min_wal_size=32MB", "max_wal_size=64MB"}, disk.Path("pg"));
  RunningService service(own.postgres->url());
  service.WaitForLead();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Desire(service, "before-" + std::to_string(i)).status.ok());

  disk.Fill();
  constexpr int kRefusals = 30;
  int refused = 0;
  int tries = 0;
  for (; refused < kRefusals && tries < 2000; ++tries) {
    const Answer answer = Desire(service, "during-" + std::to_string(tries));
    disk.Fill();
    if (answer.status.ok()) continue;
    ++refused;
    EXPECT_EQ(answer.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << answer.status.error_message();
    EXPECT_THAT(answer.status.error_message(), HasSubstr("disk is full"));
    EXPECT_THAT(answer.status.error_message(), Not(HasSubstr("extend file"))) << "PostgreSQL's own words are for the log";
    EXPECT_GT(answer.retry_after_ms, 0);
    EXPECT_TRUE(Knows(service, "before-0")) << "reads need no room";
  }
  EXPECT_EQ(refused, kRefusals);
  EXPECT_TRUE(service.Serving()) << "its lease is renewed in place";
  EXPECT_TRUE(own.postgres->Runs());

  disk.Free();
  EXPECT_TRUE(Eventually([&] { return Desire(service, "after").status.ok(); })) << "nobody restarted anything";
  for (const std::string& guid : acknowledged_) EXPECT_TRUE(Knows(service, guid)) << guid << " was acknowledged";
  std::cout << "full disk: " << acknowledged_.size() << " writes acknowledged and there, " << refused
            << " refused with a hint, none lost\n";
}

}  // namespace
}  // namespace baton
