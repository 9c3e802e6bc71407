// baton admin keys, against a real service.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/running_service.h"
#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class AdminKeys : public ::testing::Test {
 protected:
  AdminKeys() {
    char path[] = "/tmp/baton-keys-XXXXXX";
    EXPECT_NE(mkdtemp(path), nullptr);
    dir_ = path;
    options_.keys = dir_ + "/keys";
  }
  ~AdminKeys() override { std::filesystem::remove_all(dir_); }
  void Write(const std::string& active) {
    std::ofstream(options_.keys) << "key k1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
                                    "key k2 ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=\nactive "
                                 << active << "\n";
    chmod(options_.keys.c_str(), 0600);
  }
  int Do(RunningService& service, std::vector<std::string> words) {
    std::istringstream input;
    std::ostringstream output, errors;
    Io io{input, output, errors, nullptr, [] { return std::int64_t{0}; }};
    words.insert(words.begin(), {"--batond", service.address(), "admin", "keys"});
    const int exit_status = cli::Run(words, io);
    out = output.str();
    err = errors.str();
    return exit_status;
  }

  std::string dir_;
  batond::ServiceOptions options_;
  std::string out;
  std::string err;
};

TEST_F(AdminKeys, WithoutKeysThereAreNone) {
  RunningService service;
  service.WaitForLead();
  EXPECT_EQ(Do(service, {"status"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("done: all data is plain"), HasSubstr("No keys")));
  EXPECT_EQ(Do(service, {"rotate"}), kFailed);
  EXPECT_THAT(err, HasSubstr("batond was started without --keys"));
}

TEST_F(AdminKeys, RotatesAndSaysHowFarItIs) {
  Write("k1");
  RunningService service({}, options_);
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app", 0)).ok());
  ASSERT_EQ(Do(service, {"rotate"}), kDone) << err;
  EXPECT_EQ(Do(service, {"status", "--count"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("done: all data is encrypted with key k1"), HasSubstr("definitions"),
                         HasSubstr("run_info"), HasSubstr("not used yet")));
  Write("k2");
  ASSERT_EQ(Do(service, {"rotate"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("done: all data is encrypted with key k2"), HasSubstr("retired: may go")));
  ASSERT_EQ(Do(service, {"status", "-o", "json"}), kDone);
  const auto keys = nlohmann::json::parse(out);
  EXPECT_EQ(keys["rotation"]["state"], "done");
  EXPECT_EQ(keys["labels"][0]["label"], "k1");
  EXPECT_EQ(keys["labels"][1]["stored"], true);
  Write("k3");
  EXPECT_EQ(Do(service, {"rotate"}), kFailed);
  EXPECT_THAT(err, HasSubstr("the active key k3 is not in it"));
}

TEST_F(AdminKeys, ABlobThatDoesNotOpenIsNamed) {
  RunningService plain;
  plain.WaitForLead();
  ASSERT_TRUE(plain.Desire(RunningService::SmallApp("app", 0)).ok());
  const std::string url = plain.url();
  plain.Stop();
  (void)OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript("UPDATE desired_lrps SET strategy = 'no envelope'");
    return true;
  });
  Write("k1");
  RunningService service(url, options_);
  service.WaitForLead();
  EXPECT_EQ(Do(service, {"rotate"}), kFailed);
  EXPECT_THAT(out, AllOf(HasSubstr("stuck: to key k1"), HasSubstr("1 blobs do not open"),
                         HasSubstr("quarantined: desired_lrps.strategy of app: it is no envelope")));
  EXPECT_EQ(Do(service, {"status"}), kFailed);
}

}  // namespace
}  // namespace baton::cli
