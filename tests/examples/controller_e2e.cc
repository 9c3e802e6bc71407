// The controller of examples/, which speaks baton.v1 only: an app is rolled, scaled and removed by it, also while batond dies.
#include <google/protobuf/util/json_util.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/transform/messages/desired_lrp.h"
#include "tests/e2e/scene.h"
#include "tools/stack/program.h"

namespace baton::examples {
namespace {

class OldController : public Scene {
 protected:
  void StartController() {
    controller_ = std::make_unique<stack::Program>(
        stack::Program::Start{"sync.py",
                              {"/usr/bin/env", "PYTHONPATH=" BATON_PYTHON, "/usr/bin/python3",
                               BATON_SOURCE_DIR "/examples/controller/sync.py", stack_->api_address(), File()},
                              dir_.path() + "/sync.py.log"});
  }
  std::string File() const { return dir_.path() + "/apps.json"; }
  // What it is told to desire; nothing: no app.
  void Want(const std::string& version, int instances) {
    nlohmann::json content = {{"domain", "demo"}, {"apps", nlohmann::json::array()}};
    if (!version.empty()) {
      app_.instances = instances;
      v2::DesiredLRP desired = stack::DesiredHello(app_, stack::HelloDefinition(app_, version));
      desired.clear_strategy();
      std::string text;
      google::protobuf::util::JsonPrintOptions options;
      options.preserve_proto_field_names = true;
      ASSERT_TRUE(google::protobuf::util::MessageToJsonString(transform::ToV1(desired), &text, options).ok());
      content["apps"].push_back({{"desired_lrp", nlohmann::json::parse(text)}, {"identifier", version}});
    }
    std::ofstream(File() + ".new") << content.dump(1);
    std::filesystem::rename(File() + ".new", File());
  }

  std::unique_ptr<stack::Program> controller_;
};

TEST_F(OldController, RollsAnAppThroughTheDeathOfBatond) {
  Begin();
  StartTraffic();
  Want("v1", app_.instances);
  StartController();
  Want("v2", app_.instances);
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  stack_->KillBatond();
  stack_->StartBatond();
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  // A roll that still watches its last slot starts a new slot with what it comes from, and hands that over, too.
  EXPECT_EQ(EndOf(stack_->api().GetRoll(app_.process_guid).roll()), v2::COMPLETED);
  const int more = app_.instances + 1;
  Want("v2", more);
  EXPECT_TRUE(AwaitOnly("v2", more)) << "scaled, and nothing started anew";
  EXPECT_EQ(CountSteps("handed_over"), more - 1);
  ExpectUnnoticed();
  Want("", 0);
  EXPECT_TRUE(Await([&] { return Instances().empty(); })) << "what no file wants is removed";
  EXPECT_TRUE(controller_->Running());
}

}  // namespace
}  // namespace baton::examples
