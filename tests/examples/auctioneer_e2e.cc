// An auctioneer of somebody else's, in a process of its own, places an app.
#include <algorithm>

#include "tests/e2e/scene.h"
#include "tools/stack/free_port.h"
#include "tools/stack/program.h"

namespace baton {
namespace {

const std::string kAddress = "127.0.0.1:" + std::to_string(FreePort(0));

class AuctioneerOutside : public Scene {
 protected:
  AuctioneerOutside() : Scene({.batond_arguments = {"--auctioneer", kAddress}}) { StartIt(); }
  void StartIt() {
    auctioneer_ = std::make_unique<Program>(
        Program::Start{"auctioneer.py",
                       {"/usr/bin/env", "PYTHONPATH=" BATON_PYTHON, "/usr/bin/python3",
                        BATON_SOURCE_DIR "/examples/auctioneer/auctioneer.py", kAddress},
                       dir_.path() + "/auctioneer.log"});
  }
  std::unique_ptr<Program> auctioneer_;
};

TEST_F(AuctioneerOutside, PlacesAnAppItsOwnWayAndNothingIsPlacedWithoutIt) {
  app_.instances = 4;
  Begin();
  StartTraffic();
  // batond itself would spread them.
  for (const v2::ActualLRP& lrp : Instances()) EXPECT_EQ(lrp.instance_key().cell_id(), "cell-2");
  auctioneer_->Kill();
  Scale(5);
  EXPECT_TRUE(Await([&] {
    const auto all = Instances();
    return std::ranges::any_of(all, [](const auto& lrp) {
      return lrp.placement_error().find("the auctioneer does not decide") != std::string::npos;
    });
  }));
  StartIt();
  EXPECT_TRUE(AwaitOnly("v1", 5));
  EXPECT_EQ(EndOf(Update("v2")), v2::COMPLETED);
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
