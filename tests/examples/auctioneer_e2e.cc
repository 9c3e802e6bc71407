// An auctioneer of somebody else's, in a process of its own, places an app.
#include <algorithm>

#include "baton/v2/auctioneer_service.grpc.pb.h"
#include "tests/e2e/scene.h"
#include "tools/stack/free_port.h"
#include "tools/stack/program.h"
#include "tools/tls/credentials.h"

namespace baton::examples {
namespace {

const std::string kAddress = "127.0.0.1:" + std::to_string(stack::FreePort(0));

class AuctioneerOutside : public Scene {
 protected:
  AuctioneerOutside() : Scene({.batond_arguments = {"--auctioneer", kAddress}}) { StartIt(); }
  void StartIt() {
    auctioneer_ = std::make_unique<stack::Program>(
        stack::Program::Start{"auctioneer.py",
                              {"/usr/bin/env", "PYTHONPATH=" BATON_PYTHON, "/usr/bin/python3",
                               BATON_SOURCE_DIR "/examples/auctioneer/auctioneer.py", kAddress},
                              dir_.path() + "/auctioneer.log"});
  }
  std::unique_ptr<stack::Program> auctioneer_;
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

const std::string kTlsAddress = "127.0.0.1:" + std::to_string(stack::FreePort(0));

stack::StackOptions OverTlsWithAuctioneer() {
  stack::StackOptions options;
  options.tls = true;
  options.batond_arguments = {"--auctioneer", kTlsAddress};
  return options;
}

class AuctioneerOverTls : public Scene {
 protected:
  AuctioneerOverTls() : Scene(OverTlsWithAuctioneer()) {}
  void StartAs(const Identity& identity) {
    auctioneer_ = std::make_unique<stack::Program>(
        stack::Program::Start{"auctioneer.py",
                              {"/usr/bin/env", "PYTHONPATH=" BATON_PYTHON, "/usr/bin/python3",
                               BATON_SOURCE_DIR "/examples/auctioneer/auctioneer.py", "--tls",
                               stack_->certificates()->For(identity), kTlsAddress},
                              dir_.path() + "/auctioneer.log"});
  }
  bool SomethingIsPlaced() {
    return Await([&] { return std::ranges::any_of(Instances(), [](const auto& lrp) { return !lrp.instance_key().cell_id().empty(); }); });
  }
  bool Undecided() {
    return Await([&] {
      return std::ranges::any_of(Instances(), [](const auto& lrp) {
        return lrp.placement_error().find("the auctioneer does not decide") != std::string::npos;
      });
    });
  }
  // What the auctioneer says to somebody with this certificate.
  grpc::Status AskAs(const Identity& identity) {
    const auto tls = Tls::Open({.dir = stack_->certificates()->For(identity), .roles = tls::AllRoles()});
    const auto stub = v2::Auctioneer::NewStub(Dial(kTlsAddress, (*tls)->ForClient(Role::kAuctioneer)));
    grpc::ClientContext context;
    v2::PlaceResponse answer;
    return stub->Place(&context, {}, &answer);
  }
  std::unique_ptr<stack::Program> auctioneer_;
};

TEST_F(AuctioneerOverTls, IsAskedByBatondAloneAndBelievedAsAnAuctioneerAlone) {
  StartAs({Role::kBatond, "another"});  // as genuine as any, and may serve
  stack_->api().Desire(stack::DesiredHello(app_, stack::HelloDefinition(app_, "v1")));
  EXPECT_TRUE(Undecided()) << "who is no auctioneer decides nothing";
  auctioneer_->Kill();
  StartAs({Role::kAuctioneer, "auctioneer"});
  EXPECT_TRUE(SomethingIsPlaced());
  EXPECT_TRUE(AwaitOnly("v1", app_.instances));
  for (const v2::ActualLRP& lrp : Instances()) EXPECT_EQ(lrp.instance_key().cell_id(), "cell-2");
  EXPECT_EQ(AskAs({Role::kCell, "cell-1"}).error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(AskAs({Role::kBatond, "another"}).ok());
}

}  // namespace
}  // namespace baton::examples
