// An app that no cell takes, beside one that is rolled under traffic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/e2e/scene.h"
#include "tools/embedded_postgres/command.h"

namespace baton {
namespace {

using ::testing::HasSubstr;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Of open files: more than Linux lets anybody ask for, which the cell finds out when it starts the app. Nothing that
// batond knows of the cell speaks against it, so that the cell is asked.
constexpr std::uint64_t kFilesNobodyHas = std::uint64_t{1} << 40;
constexpr char kCellsWords[] = "cannot set the limit of open files: Operation not permitted";
// What a busy machine may add to a roll of some seconds. Cells that are held off add 30 s.
constexpr milliseconds kNoise{2000};

class RejectedScenes : public Scene {
 protected:
  milliseconds TimeOf(const std::string& version) {
    const auto began = steady_clock::now();
    EXPECT_EQ(EndOf(Update(version)), v2::COMPLETED);
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - began);
  }
  void DesireGreedy() {
    greedy_.program = app_.program;
    v2::LRPDefinition definition = stack::HelloDefinition(greedy_, "g1");
    auto& run = *definition.mutable_run_info()->mutable_action()->mutable_run_action();
    run.mutable_resource_limits()->set_nofile(kFilesNobodyHas);
    stack_->api().Desire(stack::DesiredHello(greedy_, definition));
  }
  // An instance of it that both cells have said no to.
  bool AwaitRejected() {
    return Await([&] {
      const auto all = stack_->api().Instances(greedy_.process_guid);
      return std::ranges::any_of(all, [](const v2::ActualLRP& lrp) {
        const std::string& error = lrp.placement_error();
        return error.find("cell-1: refused: ") != error.npos && error.find("cell-2: refused: ") != error.npos;
      });
    });
  }
  int Rejections() const {
    std::ifstream log(dir_.path() + "/batond.log");
    int count = 0;
    for (std::string line; std::getline(log, line);) count += line.find("cell_rejects") != line.npos;
    return count;
  }
  double CellsHeldOff() const {
    const std::string text = Metrics();
    EXPECT_THAT(text, HasSubstr("baton_leading 1"));
    const std::string name = "\nbaton_cells_held_off_total ";
    const std::size_t at = text.find(name);
    return at == text.npos ? 0 : std::stod(text.substr(at + name.size(), 20));
  }
  // Between two rejections the words are gone for as long as a start takes.
  void ExpectTold(const std::vector<std::string>& command) {
    std::string output;
    EXPECT_TRUE(Await([&] {
      const auto result = RunCommand(command, std::nullopt);
      output = result ? result->output : result.error().message;
      return result && result->exit_status == 0 && output.find(kCellsWords) != output.npos;
    })) << ::testing::PrintToString(command)
        << ":\n"
        << output;
  }

  stack::HelloApp greedy_{
      .process_guid = "greedy", .hostname = "greedy.example", .instances = 4, .min_healthy_ms = 500};
};

// Issue 20: beside such an app another one's roll took 118 s in place of 4.3 s.
TEST_F(RejectedScenes, AnAppThatNoCellTakesDelaysNoRollAndSaysWhy) {
  Begin();
  StartTraffic();
  EXPECT_EQ(EndOf(Update("v2")), v2::COMPLETED);  // the first one is faster: nothing drains yet
  const milliseconds alone = TimeOf("v3");
  DesireGreedy();
  ASSERT_TRUE(AwaitRejected());
  const milliseconds beside = TimeOf("v4");
  EXPECT_LE(beside, alone * 11 / 10 + kNoise) << "alone it took " << alone.count() << " ms";
  EXPECT_EQ(CellsHeldOff(), 0);
  ExpectUnnoticed();
  std::cout << "alone " << alone.count() << " ms, beside the rejected app " << beside.count() << " ms, "
            << Rejections() << " rejections\n";

  for (const v2::ActualLRP& lrp : stack_->api().Instances("greedy")) {
    EXPECT_NE(lrp.state(), "RUNNING");
    EXPECT_EQ(lrp.crash_count(), 0) << "nothing of it ran";
    EXPECT_EQ(lrp.crash_reason(), "");
  }
  ExpectTold(Baton({"get", "instances", "--app", "greedy", "-o", "wide"}));
  ExpectTold(Baton({"describe", "instance", "greedy/0"}));
  ExpectTold(Baton({"explain", "greedy"}));
  ExpectTold({stack_->bin_dir() + "/baton-definitions", "--app", "greedy", "-o", "wide", "--embedded",
              dir_.path() + "/pg"});
  // Three at once, then one after 1 s, 2 s, 4 s and so on: four instances are one question.
  EXPECT_GE(Rejections(), 3);
  EXPECT_LE(Rejections(), 14);
}

}  // namespace
}  // namespace baton
