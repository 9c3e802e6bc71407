// Every text of an app is a canary of its own. Whatever becomes of the app, none is heard in what others read: statuses, the
// log at debug, events, metrics, PostgreSQL's statements, log and dump, command lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include <google/protobuf/descriptor.h>

#include "orchestrator/server/apps/requests.h"
#include "orchestrator/wire/limits/field_limits.h"
#include "orchestrator/wire/secrets/sensitive.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/orchestrator/wire/full_definition.h"
#include "tests/schema/pg_tools.h"
#include "tests/server/answers_to.h"
#include "tests/server/event_follower.h"
#include "tests/server/scripted_cell.h"
#include "tests/server/secure_service.h"

namespace baton {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// A surface that this field may be seen on, and why. No entry: nowhere.
struct MayShow {
  std::string surface;  // "*": each
  std::string field;    // full name, or what it begins with
  std::string why;
};
const std::vector<MayShow> kMayShow = {
    {"*", "baton.v2.DesiredLRP.process_guid", "a name: what everything is told by"},
    {"*", "baton.v2.DesiredLRP.domain", "a name"},
    {"*", "baton.v2.DesiredLRP.log_guid", "a name"},
    {"*", "baton.v2.LRPDefinition.definition_identifier", "a name"},
    {"*", "baton.v1.DesiredLRPResource.root_fs", "placement goes by it, in the clear"},
    {"*", "baton.v2.LRPDefinition.placement_tags", "placement goes by them, in the clear"},
    {"*", "baton.v1.VolumeMount.driver", "placement goes by it, in the clear"},
    {"events", "baton.v2.DesiredLRP.annotation", "a controller keeps its book there, and follows by events, as this admin does"},
    {"events", "baton.v2.DesiredLRP.image_username", "a name; the password is beside it, and hidden"},
    {"events", "baton.v1.MetricTagValue.static", "metrics are labelled with them"},
    {"events", "baton.v1.ProtoRoutes", "routers follow by events"},
    {"events", "baton.v2.CellReport.Crashed", "admins and the app's controllers may see why it crashed"},
    {"log", "baton.v2.CellReport.Crashed.reason", "the cell's sentence; below it what the app wrote is cut off"},
};

// What who may see no secrets is answered. All but secrets, as the .proto files say what is one.
constexpr char kAnswers[] = "answers";

bool Allowed(const std::string& surface, const std::string& field) {
  if (surface == kAnswers) {
    const auto* descriptor = google::protobuf::DescriptorPool::generated_pool()->FindFieldByName(field);
    return descriptor && !wire::IsSecret(*descriptor);
  }
  return std::ranges::any_of(kMayShow, [&](const MayShow& may) {
    return (may.surface == "*" || may.surface == surface) && field.starts_with(may.field);
  });
}

std::string Hex(const std::string& text) {
  std::string hex;
  for (const char c : text) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(c));
    hex += two;
  }
  return hex;
}

class Canaries {
 public:
  std::string Next(const std::string& field) {
    const std::string canary = "canary" + std::to_string(100'000 + birds_.size()) + "x";
    birds_[canary] = field;
    return canary;
  }
  // Gives each text of the app one, in the form that the field takes; those that the app cannot be without stay as they are.
  v2::DesireLRPRequest Within(v2::DesireLRPRequest request) {
    ForEachValue(request, [&](Message& holder, const FieldDescriptor& field) {
      if (field.cpp_type() != FieldDescriptor::CPPTYPE_STRING || field.containing_type()->options().map_entry()) return;
      const auto* reflection = holder.GetReflection();
      const int count = field.is_repeated() ? reflection->FieldSize(holder, &field) : 1;
      for (int i = 0; i < count; ++i) {
        const std::string before =
            field.is_repeated() ? reflection->GetRepeatedString(holder, &field, i) : reflection->GetString(holder, &field);
        const std::string canary = Next(field.full_name());
        bool taken = false;
        for (const std::string& form : FormsOf(field)) {
          std::string value = form;
          value.replace(value.find('@'), 1, canary);
          Set(holder, field, i, value);
          if (!taken && DesireFrom(request)) {
            taken = true;
            break;
          }
        }
        if (!taken) Set(holder, field, i, before), birds_.erase(canary), untried_.insert(field.full_name());
      }
    });
    return request;
  }
  // A URL is a secret where it has a query.
  static std::vector<std::string> FormsOf(const FieldDescriptor& field) {
    if (wire::SensitivityOf(field) == v2::URL) return {"http://blobs.example/?@"};
    return {"@", "/@", "http://@.example/", "host:@"};
  }
  static void Set(Message& holder, const FieldDescriptor& field, int index, const std::string& value) {
    const auto* reflection = holder.GetReflection();
    field.is_repeated() ? reflection->SetRepeatedString(&holder, &field, index, value)
                        : reflection->SetString(&holder, &field, value);
  }

  // "FIELD" of each that is heard in the text and may not be.
  std::set<std::string> HeardIn(const std::string& surface, const std::string& text) const {
    std::set<std::string> heard;
    for (const auto& [canary, field] : birds_) {
      const bool there = text.find(canary) != std::string::npos || text.find(Hex(canary)) != std::string::npos;
      if (there && !Allowed(surface, field)) heard.insert(field);
    }
    return heard;
  }
  std::size_t size() const { return birds_.size(); }
  const std::set<std::string>& untried() const { return untried_; }

 private:
  std::map<std::string, std::string> birds_;  // with the field of each
  std::set<std::string> untried_;
};

// Everything, at every level.
class WholeLog final : public Log {
 public:
  void Write(LogLevel, std::string_view event, std::initializer_list<LogField> fields) override {
    const std::lock_guard lock(mutex_);
    text_ << event;
    for (const LogField& field : fields) {
      text_ << ' ' << field.key << '=';
      std::visit([this](const auto& value) { text_ << value; }, field.value);
    }
    text_ << '\n';
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_.str();
  }

 private:
  std::mutex mutex_;
  std::ostringstream text_;
};

std::string CommandLines() {
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  return all;
}

std::string PostgresLog(const std::string& url) {
  std::ifstream log(testing::Psql(url, "SHOW data_directory").substr(0, testing::Psql(url, "SHOW data_directory").find('\n')) +
                    "/../postgres.log");
  return {std::istreambuf_iterator<char>(log), {}};
}

class Canary : public ::testing::Test {
 protected:
  Canary() {
    char path[] = "/tmp/baton-canary-XXXXXX";
    EXPECT_NE(mkdtemp(path), nullptr);
    dir_ = path;
    options_.keys = dir_ + "/keys";
    std::ofstream(options_.keys) << "key a AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\nactive a\n";
    std::filesystem::permissions(options_.keys, std::filesystem::perms(0600));
  }
  ~Canary() override { std::filesystem::remove_all(dir_); }

  void ExpectUnheard(SecureService& secure, const std::string& guid, const std::string& statuses, EventFollower& follower) {
    const auto none = std::set<std::string>();
    RunningService& service = secure.running();
    for (const Role role : {Role::kViewer, Role::kOperator, Role::kRouter}) {
      const std::string answers = AnswersTo(secure.ChannelOf(role, "one"), guid);
      EXPECT_EQ(canaries_.HeardIn(kAnswers, answers), none) << Name(role) << ": " << answers;
      EXPECT_NE(answers.find("canary"), std::string::npos) << "else this test hears nothing";
    }
    const std::string& url = service.url();
    EXPECT_EQ(canaries_.HeardIn("status", statuses), none) << statuses;
    EXPECT_EQ(canaries_.HeardIn("log", log_.text()), none);
    EXPECT_EQ(canaries_.HeardIn("metrics", service.Metrics()), none);
    EXPECT_EQ(canaries_.HeardIn("command line", CommandLines()), none);
    EXPECT_EQ(canaries_.HeardIn("statements", testing::Psql(url, "SELECT query FROM pg_stat_activity")), none);
    EXPECT_EQ(canaries_.HeardIn("postgres log", PostgresLog(url)), none);
    EXPECT_EQ(canaries_.HeardIn("dump", testing::PgDump(url, {})), none);
    std::string events;
    for (const v2::Event& event : follower.events()) events += event.DebugString();
    EXPECT_EQ(canaries_.HeardIn("events", events), none);
    EXPECT_NE(events.find("canary"), std::string::npos) << "else this test hears nothing";
  }

  std::string dir_;
  batond::ServiceOptions options_;
  WholeLog log_;
  Canaries canaries_;
};

// All that an app can have, one instance of it.
v2::DesireLRPRequest WholeApp() {
  v2::DesireLRPRequest full;
  v2::DesiredLRP& app = *full.mutable_desired_lrp();
  app = FullApp();
  app.set_process_guid("app");
  app.set_instances(1);
  app.mutable_strategy()->clear_stages();  // verdicts are refused unless an operator allows their host
  app.mutable_definition()->clear_placement_tags();
  app.mutable_definition()->mutable_run_info()->clear_egress_rules();
  auto& dependency = *app.mutable_definition()->mutable_run_info()->add_cached_dependencies();
  dependency.set_from("https://blobs.example/a"), dependency.set_to("/a"), dependency.set_name("name");
  return full;
}

// Every text once more, with what its field does not take. How many were refused.
int RefuseEach(RunningService& service, v2::DesireLRPRequest bad, Canaries& canaries, std::string& statuses) {
  bad.mutable_desired_lrp()->set_process_guid("bad");
  bad.mutable_desired_lrp()->set_instances(0);
  std::vector<std::pair<Message*, const FieldDescriptor*>> places;
  ForEachValue(bad, [&](Message& holder, const FieldDescriptor& field) {
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING && !field.containing_type()->options().map_entry()) {
      places.push_back({&holder, &field});
    }
  });
  int refused = 0;
  for (const auto& [holder, field] : places) {
    const std::string before = field->is_repeated() ? holder->GetReflection()->GetRepeatedString(*holder, field, 0)
                                                    : holder->GetReflection()->GetString(*holder, field);
    Canaries::Set(*holder, *field, 0, "=\t:" + canaries.Next(field->full_name()) + "\x01");
    const grpc::Status status = service.Desire(bad);
    refused += !status.ok();
    statuses += status.error_message() + "\n";
    v2::RemoveDesiredLRPRequest remove;
    remove.set_process_guid("bad");
    v2::RemoveDesiredLRPResponse removed;
    if (status.ok()) (void)service.apps->RemoveDesiredLRP(Context().get(), remove, &removed);
    Canaries::Set(*holder, *field, 0, before);
  }
  return refused;
}

// Claims what it is told to run next, and reports that it crashed with words of its own.
void Crash(ScriptedCell& cell, Canaries& canaries) {
  const v2::RunOrder order = cell.NextRun();
  cell.Report(ScriptedCell::Claimed(order.actual_id()));
  v2::CellReport crashed = ScriptedCell::Crashed(order.actual_id());
  crashed.mutable_crashed()->set_reason("it ended: " + canaries.Next("baton.v2.CellReport.Crashed.reason"));
  crashed.mutable_crashed()->set_last_output("password is\n" + canaries.Next("baton.v2.CellReport.Crashed.last_output"));
  cell.Report(crashed);
}

TEST_F(Canary, NoTextOfAnAppIsHeardElsewhere) {
  SecureService secure(options_, &log_);
  RunningService& service = secure.running();
  service.WaitForLead();
  ASSERT_TRUE(DesireFrom(WholeApp())) << DesireFrom(WholeApp()).error().message;
  const v2::DesireLRPRequest request = canaries_.Within(WholeApp());
  EXPECT_GT(canaries_.size(), 40u);
  EventFollower follower(service, EventFollower::After(0));
  std::string statuses;
  const grpc::Status desired = service.Desire(request);
  ASSERT_TRUE(desired.ok()) << desired.error_message();
  statuses += service.Desire(request).error_message() + "\n";  // it is there already
  const int refused = RefuseEach(service, request, canaries_, statuses);
  EXPECT_GT(refused, 15);

  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid(request.desired_lrp().process_guid());
  auto& changed = *update.mutable_update()->mutable_desired_lrp();
  changed = request.desired_lrp();
  changed.mutable_definition()->set_definition_identifier("v2");
  changed.mutable_definition()->mutable_run_info()->mutable_environment_variables(0)->set_value(
      canaries_.Next("baton.v1.EnvironmentVariable.value"));
  statuses += service.Update(update).error_message() + "\n";
  EXPECT_TRUE(Eventually([&] { return log_.text().find("update_desired_lrp") != std::string::npos; }));
  ExpectUnheard(secure, request.desired_lrp().process_guid(), statuses, follower);
  std::string untried;
  for (const std::string& field : canaries_.untried()) untried += " " + field;
  std::printf("canary: %zu texts of an app, %d refusals; not tried:%s\n", canaries_.size(), refused, untried.c_str());
}

// The cell's sentence is logged; what the app wrote is not, and nowhere else than where its followers read.
TEST_F(Canary, LastWordsOfAnAppAreNotLogged) {
  SecureService secure(options_, &log_);
  RunningService& service = secure.running();
  service.WaitForLead();
  EventFollower follower(service, EventFollower::After(0));
  const auto cells = v2::Cells::NewStub(secure.ChannelOf(Role::kCell, "cell-1"));
  ScriptedCell cell(*cells, "cell-1");
  cell.Hello();
  ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
  Crash(cell, canaries_);
  EXPECT_TRUE(Eventually([&] { return log_.text().find("it ended: canary") != std::string::npos; })) << log_.text();
  ASSERT_TRUE(follower.WaitFor([&] { return std::ranges::count(follower.kinds(), "actual_crashed") > 0; }));
  ExpectUnheard(secure, "app", "", follower);
}

}  // namespace
}  // namespace baton
