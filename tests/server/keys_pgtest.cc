// batond with keys: nothing that it stores is in the clear, a rotation runs while it serves, and with keys that are not the
// database's it does not lead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <utility>

#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/schema/pg_tools.h"
#include "tests/server/key_file.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kCanary[] = "canary-in-the-coal-mine";

class Keys : public ::testing::Test {
 protected:
  Keys() {
    char path[] = "/tmp/baton-keys-XXXXXX";
    EXPECT_NE(mkdtemp(path), nullptr);
    dir_ = path;
    options_.keys = dir_ + "/keys";
    Write("ab", 'a');
  }
  ~Keys() override { std::filesystem::remove_all(dir_); }

  // `active` '-': none.
  void Write(const std::string& labels, char active, bool sealed_only = false) {
    std::string text = std::string("active ") + (active == '-' ? "none" : std::string(1, active)) + "\n";
    if (sealed_only) text += "sealed only\n";
    for (const char label : labels) text += KeyLine(label);
    WriteKeyFile(options_.keys, text);
  }
  static v2::KeysResponse Look(RunningService& service, bool count = false) {
    v2::KeysRequest request;
    request.set_count(count);
    v2::KeysResponse keys;
    const grpc::Status status = service.admin->Keys(Context().get(), request, &keys);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return keys;
  }
  static bool Done(RunningService& service, const std::string& label) {
    return Eventually([&] {
      const auto keys = Look(service);
      return keys.rotation().state() == "done" && keys.rotation().target() == label;
    });
  }
  // An app that says its canary in every place that it has, and crashes with it.
  static void RunCanaries(RunningService& service) {
    ScriptedCell cell(service, "cell-1");
    cell.Hello();
    auto request = RunningService::SmallApp("app");
    v2::DesiredLRP& app = *request.mutable_desired_lrp();
    app.set_annotation(kCanary);
    app.set_image_username("user");
    app.set_image_password(kCanary);
    auto& variable = *app.mutable_definition()->mutable_run_info()->add_environment_variables();
    variable.set_name("TOKEN");
    variable.set_value(kCanary);
    request.set_idempotency_key("key");
    EXPECT_TRUE(service.Desire(request).ok());
    const v2::RunOrder order = cell.NextRun();
    cell.Report(ScriptedCell::Claimed(order.actual_id()));
    v2::CellReport crashed = ScriptedCell::Crashed(order.actual_id());
    crashed.mutable_crashed()->set_last_output(kCanary);
    cell.Report(crashed);
    EXPECT_TRUE(Eventually([&] {
      for (const auto& lrp : service.Instances("app")) {
        if (lrp.crash_reason().find(kCanary) != std::string::npos) return true;
      }
      return false;
    }));
  }
  static bool HasCanary(const std::string& url) {
    std::string hex;
    for (const char c : std::string(kCanary)) {
      char two[3];
      std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(c));
      hex += two;
    }
    const std::string dump = testing::PgDump(url, {});
    return dump.find(kCanary) != std::string::npos || dump.find(hex) != std::string::npos;
  }

  std::string dir_;
  batond::ServiceOptions options_;
  SilentLog log_;
};

TEST_F(Keys, NothingThatAnAppSaysIsInTheClear) {
  {
    RunningService plain;
    plain.WaitForLead();
    RunCanaries(plain);
    ASSERT_TRUE(HasCanary(plain.url())) << "else this test sees nothing";
  }
  RunningService service({}, options_);
  service.WaitForLead();
  RunCanaries(service);
  EXPECT_FALSE(HasCanary(service.url()));
  const auto counted = Look(service, true);
  EXPECT_GT(counted.counts_size(), 5);
  for (const auto& count : counted.counts()) EXPECT_EQ(count.label(), "a") << count.table() << "." << count.column();
}

TEST_F(Keys, ADatabaseInTheClearIsSealedWhileItServes) {
  RunningService service;
  service.WaitForLead();
  RunCanaries(service);
  const std::string url = service.url();
  service.Stop();
  RunningService sealed(url, options_);
  sealed.WaitForLead();
  ASSERT_TRUE(Done(sealed, "a"));
  EXPECT_FALSE(HasCanary(url));
  // Everything reads as before; a call that is repeated gets its answer.
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("app");
  get.set_reveal_secrets(true);
  v2::GetDesiredLRPResponse app;
  ASSERT_TRUE(sealed.apps->GetDesiredLRP(Context().get(), get, &app).ok());
  EXPECT_EQ(app.desired_lrp().annotation(), kCanary);
}

TEST_F(Keys, RotateReadsTheFileAgainAndTheOldKeyMayGo) {
  RunningService service({}, options_);
  service.WaitForLead();
  RunCanaries(service);
  ASSERT_TRUE(Done(service, "a"));
  v2::KeysResponse keys;
  Write("b", 'b');  // too early
  const grpc::Status refused = service.admin->RotateKeys(Context().get(), {}, &keys);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("sealed with key a, which is not in the key file"));
  Write("ab", 'b');
  ASSERT_TRUE(service.admin->RotateKeys(Context().get(), {}, &keys).ok());
  EXPECT_TRUE(Exists(service.url(), "audit WHERE method = 'baton.v2.Admin/RotateKeys' AND outcome = 'OK @key%20b'"));
  ASSERT_TRUE(Done(service, "b"));
  keys = Look(service);
  for (const auto& label : keys.labels()) {
    EXPECT_EQ(label.retired(), label.label() == "a");
    EXPECT_EQ(label.stored(), label.label() == "b");
    EXPECT_GT(label.encryptions(), 0);
    EXPECT_GT(label.share(), 0);
  }
  const std::string url = service.url();
  service.Stop();
  Write("b", 'b');
  RunningService next(url, options_);
  next.WaitForLead();
  EXPECT_TRUE(Done(next, "b"));
  EXPECT_THAT(next.Instances("app"), ::testing::SizeIs(1));
}

// B11: who may write to the database replaces a sealed definition by a plain one of his own.
TEST_F(Keys, SealedOnlyTakesNothingPlainAndIsNotTakenBack) {
  options_.state_file = dir_ + "/batond.state";
  std::string url;
  {
    RunningService plain;
    plain.WaitForLead();
    RunCanaries(plain);
    url = plain.url();
  }
  const auto refusal = [&] {
    batond::ServiceOptions quiet = options_;
    quiet.listen = "127.0.0.1:0";
    quiet.metrics.clear();
    const auto started = StartedService::Start(quiet, url, log_);
    EXPECT_FALSE(started);
    return started ? "" : started.error().message;
  };
  Write("a", 'a', /*sealed_only=*/true);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("`sealed only`, and"), HasSubstr("plain"))) << "it would not open";
  std::filesystem::remove(options_.state_file);

  Write("a", 'a');
  {
    RunningService sealed(url, options_);
    sealed.WaitForLead();
    ASSERT_TRUE(Done(sealed, "a"));
    EXPECT_FALSE(Look(sealed).sealed_only());
    Write("a", 'a', true);
    v2::KeysResponse keys;
    ASSERT_TRUE(sealed.admin->RotateKeys(Context().get(), {}, &keys).ok());
    EXPECT_TRUE(Look(sealed).sealed_only());
    Write("a", 'a');
    const grpc::Status refused = sealed.admin->RotateKeys(Context().get(), {}, &keys);
    EXPECT_EQ(refused.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
    EXPECT_THAT(refused.error_message(), HasSubstr("has no such line any more"));
  }
  EXPECT_THAT(refusal(), HasSubstr("has no such line any more"));
  const std::string with_keys = std::exchange(options_.keys, "");
  EXPECT_THAT(refusal(), HasSubstr("has no such line any more"));
  options_.keys = with_keys;

  Write("a", 'a', true);
  (void)OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript("UPDATE desired_lrps SET annotation = '\\x42540100' || 'evil'::bytea");
    return true;
  });
  RunningService service(url, options_);
  service.WaitForLead();
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("app");
  get.set_reveal_secrets(true);
  v2::GetDesiredLRPResponse app;
  const grpc::Status read = service.apps->GetDesiredLRP(Context().get(), get, &app);
  EXPECT_NE(app.desired_lrp().annotation(), "evil");
  EXPECT_THAT(read.error_message() + app.ShortDebugString(), HasSubstr("it is plain, and the key file says `sealed only`"));
}

TEST_F(Keys, ABlobThatDoesNotOpenIsNamedAndCallsGoOn) {
  RunningService service;
  service.WaitForLead();
  RunCanaries(service);
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("other", 0)).ok());
  const std::string url = service.url();
  service.Stop();
  (void)OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    s.RunScript("UPDATE desired_lrps SET routes = '\\x4254020161' || routes WHERE process_guid = 'other'");
    return true;
  });
  RunningService sealed(url, options_);
  sealed.WaitForLead();
  ASSERT_TRUE(Eventually([&] { return Look(sealed).rotation().state() == "stuck"; }));
  const auto keys = Look(sealed, true);
  ASSERT_EQ(keys.quarantine_size(), 1);
  EXPECT_EQ(keys.quarantine(0).table() + "." + keys.quarantine(0).column() + " " + keys.quarantine(0).key(),
            "desired_lrps.routes other");
  EXPECT_THAT(keys.quarantine(0).reason(), HasSubstr("desired_lrps.routes of other: it does not open with key a"));
  EXPECT_EQ(keys.rotation().faults(), 1);
  EXPECT_TRUE(sealed.Desire(RunningService::SmallApp("third", 0)).ok());
  for (const auto& label : keys.labels()) EXPECT_FALSE(label.stored()) << label.label();
}

TEST_F(Keys, KeysThatAreNotTheDatabasesAreRefusedAtTheStart) {
  RunningService service({}, options_);
  service.WaitForLead();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app", 0)).ok());
  const std::string url = service.url();
  service.Stop();
  const std::string before = testing::PgDump(url, {});
  const auto refusal = [&](const batond::ServiceOptions& options) {
    batond::ServiceOptions quiet = options;
    quiet.listen = "127.0.0.1:0";
    quiet.metrics.clear();
    const auto started = StartedService::Start(quiet, url, log_);
    EXPECT_FALSE(started);
    return started ? "" : started.error().message;
  };
  EXPECT_THAT(refusal({}), AllOf(HasSubstr("sealed with key a"), HasSubstr("--keys")));
  Write("b", 'b');
  EXPECT_THAT(refusal(options_), HasSubstr("sealed with key a, which is not in the key file"));
  std::ofstream(options_.keys) << "active a\npassphrase a another passphrase than it was\n";
  EXPECT_THAT(refusal(options_), HasSubstr("key a is not the key that this database knows by that label"));
  Write("ab", 'c');
  EXPECT_THAT(refusal(options_), HasSubstr("the active key c is not in it"));
  Write("ab", 'a');
  chmod(options_.keys.c_str(), 0644);
  EXPECT_THAT(refusal(options_), HasSubstr("has mode 0644"));
  EXPECT_EQ(testing::PgDump(url, {}), before) << "nothing is written";
}

// It stood by while the other one made a new key active.
TEST_F(Keys, AStandbyWithoutTheNewKeyDoesNotLead) {
  batond::ServiceOptions old = options_;
  old.keys = dir_ + "/old";
  Write("a", 'a');
  std::filesystem::copy_file(options_.keys, old.keys);
  RunningService leader({}, options_);
  leader.WaitForLead();
  ASSERT_TRUE(Done(leader, "a"));
  RunningService standby(leader.url(), old);
  Write("ab", 'b');
  v2::KeysResponse keys;
  ASSERT_TRUE(leader.admin->RotateKeys(Context().get(), {}, &keys).ok());
  ASSERT_TRUE(Done(leader, "b"));
  const std::string url = leader.url();
  leader.Stop();
  // It says in `members` that it is there, and why it does not lead.
  const std::vector<std::string> all_but_members = {"--exclude-table-data=members"};
  const std::string before = testing::PgDump(url, all_but_members);
  EXPECT_FALSE(Eventually([&] { return standby.Serving(); }, std::chrono::seconds(4))) << "longer than the lease";
  EXPECT_EQ(testing::PgDump(url, all_but_members), before) << "not even the lease is taken";
  std::filesystem::copy_file(options_.keys, old.keys, std::filesystem::copy_options::overwrite_existing);
  RunningService third(url, old);
  third.WaitForLead();
}

// The next leader that is needed is not the first to hear of it.
TEST_F(Keys, AStandbyWithoutTheNewKeySaysSoOnceWhileTheOtherLeads) {
  class KeyLog final : public Log {
   public:
    void Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) override {
      if (event != "key_missing") return;
      EXPECT_EQ(level, LogLevel::kWarn);
      const std::lock_guard lock(mutex_);
      for (const LogField& field : fields) said_.emplace_back(std::get<std::string_view>(field.value));
    }
    std::vector<std::string> said() {
      const std::lock_guard lock(mutex_);
      return said_;
    }

   private:
    std::mutex mutex_;
    std::vector<std::string> said_;
  };
  batond::ServiceOptions old = options_;
  old.keys = dir_ + "/old";
  old.listen = "127.0.0.1:0";
  old.metrics.clear();
  Write("a", 'a');
  std::filesystem::copy_file(options_.keys, old.keys);
  RunningService leader({}, options_);
  leader.WaitForLead();
  KeyLog log;
  const auto standby = StartedService::Start(old, leader.url(), log);
  ASSERT_TRUE(standby);
  Write("ab", 'b');
  v2::KeysResponse keys;
  ASSERT_TRUE(leader.admin->RotateKeys(Context().get(), {}, &keys).ok());
  ASSERT_TRUE(Done(leader, "b"));
  ASSERT_TRUE(Eventually([&] { return !log.said().empty(); }));
  const auto admin = v2::Admin::NewStub(grpc::CreateChannel(standby->address(), grpc::InsecureChannelCredentials()));
  v2::StatusResponse status;
  EXPECT_TRUE(Eventually([&] {
    return admin->Status(Context().get(), {}, &status).ok() && status.why().find("key b") != std::string::npos;
  })) << status.ShortDebugString();
  EXPECT_EQ(status.state(), "STANDBY");
  const auto said = log.said();
  ASSERT_EQ(said.size(), 2U) << "once";
  EXPECT_THAT(said[0], HasSubstr("sealed with key b, which is not in the key file"));
  EXPECT_THAT(said[1], HasSubstr("restart it"));
}

TEST_F(Keys, WithoutAFileThereIsNothingToRotate) {
  RunningService service;
  service.WaitForLead();
  v2::KeysResponse keys;
  const grpc::Status refused = service.admin->RotateKeys(Context().get(), {}, &keys);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("--keys"));
  EXPECT_EQ(Look(service).labels_size(), 0);
  EXPECT_EQ(Look(service).rotation().state(), "done");
}

}  // namespace
}  // namespace baton
