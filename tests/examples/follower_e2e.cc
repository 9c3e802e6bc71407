// The event followers of examples/, both, through restarts of batond and their own: their tables are what is.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/e2e/scene.h"
#include "tools/stack/program.h"

namespace baton::examples {
namespace {

using Rows = std::map<std::string, nlohmann::json>;

stack::StackOptions OverTls() {
  stack::StackOptions options;
  options.tls = true;  // as ./dev run
  return options;
}

class Followers : public Scene {
 protected:
  Followers() : Scene(OverTls()) {}
  std::string Certificate() const { return stack_->certificates()->For({Role::kController, "controller"}); }
  void StartPython() {
    python_ = std::make_unique<stack::Program>(stack::Program::Start{
        "follow.py",
        {"/usr/bin/env", "PYTHONPATH=" BATON_PYTHON, "/usr/bin/python3",
         BATON_SOURCE_DIR "/examples/follower/follow.py", stack_->api_address(), Table("python"), Certificate()},
        dir_.path() + "/follow.py.log"});
  }
  void StartCpp() {
    cpp_ = std::make_unique<stack::Program>(
        stack::Program::Start{"follower",
                              {stack::OwnDirectory() + "/follower", stack_->api_address(), Table("cpp"), Certificate()},
                              dir_.path() + "/follower.log"});
  }
  std::string Table(const std::string& name) const { return dir_.path() + "/" + name + ".json"; }
  Rows RowsOf(const std::string& name) {
    std::ifstream file(Table(name));
    const auto stored = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
    return stored.is_discarded() ? Rows() : stored["instances"].get<Rows>();
  }
  Rows WhatIs() {
    Rows rows;
    for (const v2::ActualLRP& lrp : Instances()) {
      rows[lrp.actual_id()] = {{"app", lrp.process_guid()},
                               {"index", lrp.index()},
                               {"definition", lrp.definition_identifier()},
                               {"state", lrp.state()},
                               {"presence", v2::Presence_Name(lrp.presence())},
                               {"cell", lrp.instance_key().cell_id()}};
    }
    return rows;
  }
  bool BothSeeWhatIs() {
    return Await([&] {
      const Rows rows = WhatIs();
      return RowsOf("python") == rows && RowsOf("cpp") == rows;
    });
  }

  std::unique_ptr<stack::Program> python_;
  std::unique_ptr<stack::Program> cpp_;
};

TEST_F(Followers, KeepACorrectTableThroughRestarts) {
  StartCpp();  // from the very beginning
  Begin();
  StartPython();  // with a snapshot of what is there
  ASSERT_TRUE(BothSeeWhatIs());
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  stack_->KillBatond();
  python_->Kill();
  stack_->StartBatond();
  ASSERT_TRUE(AwaitStep("handed_over", 2));
  cpp_->Kill();
  StartPython();
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  StartCpp();
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  EXPECT_TRUE(BothSeeWhatIs());
  stack_->api().Remove(app_.process_guid);
  EXPECT_TRUE(BothSeeWhatIs());
  EXPECT_TRUE(Await([&] { return Instances().empty(); }));
  EXPECT_TRUE(BothSeeWhatIs());
  EXPECT_TRUE(python_->Running() && cpp_->Running());
}

}  // namespace
}  // namespace baton::examples
