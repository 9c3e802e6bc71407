#include "orchestrator/server/cells/grpc_auctioneer.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <utility>

#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr seconds kPatience(2);

void Fill(const Auction& auction, v2::PlaceRequest& m) {
  m.set_actual_id(auction.id.str());
  m.set_process_guid(auction.guid.str());
  m.set_index(auction.index);
  m.set_definition_identifier(auction.definition.id.str());
  *m.mutable_resources() = wire::ToMessage(auction.definition.resources);
  m.set_root_fs(auction.definition.root_fs);
  for (const auto& tag : auction.definition.placement_tags) m.add_placement_tags(tag);
  for (const auto& need : auction.definition.needs) m.add_needs(need);
  m.set_avoid_cell_id(auction.avoid.str());
  for (const CellOffer& offer : auction.offers) {
    v2::CellOffer& cell = *m.add_cells();
    cell.set_cell_id(offer.id.str());
    cell.set_zone(offer.zone);
    *cell.mutable_free() = wire::ToMessage(offer.free);
    for (const auto& stack : offer.stacks) cell.add_stacks(stack);
    for (const auto& tag : offer.placement_tags) cell.add_placement_tags(tag);
    for (const auto& ability : offer.abilities) cell.add_abilities(ability);
    cell.set_instances(offer.instances);
    cell.set_instances_of_app(offer.instances_of_app);
    cell.set_why_not(WhyNot(auction.definition, offer));
  }
}

Placement PlacementFrom(const v2::PlaceResponse& m) {
  Placement placement;
  if (!m.cell_id().empty()) {
    placement.cell = CellId(wire::Clean(m.cell_id()));
  } else {
    placement.error = m.error().empty() ? "the auctioneer found no cell" : wire::Clean(m.error());
  }
  return placement;
}

}  // namespace

struct GrpcAuctioneer::Ask {
  grpc::ClientContext context;
  v2::PlaceRequest request;
  v2::PlaceResponse response;
};

GrpcAuctioneer::GrpcAuctioneer(std::string address, const std::shared_ptr<grpc::ChannelCredentials>& credentials)
    : address_(std::move(address)),
      stub_(v2::Auctioneer::NewStub(
          grpc::CreateChannel(address_, credentials ? credentials : grpc::InsecureChannelCredentials()))) {}

GrpcAuctioneer::~GrpcAuctioneer() {
  std::unique_lock lock(mutex_);
  none_.wait(lock, [this] { return under_way_ == 0; });
}

void GrpcAuctioneer::Decide(Auction auction, std::function<void(Result<Placement>)> done) {
  auto ask = std::make_shared<Ask>();
  Fill(auction, ask->request);
  ask->context.set_deadline(std::chrono::system_clock::now() + kPatience);
  {
    const std::lock_guard lock(mutex_);
    ++under_way_;
  }
  stub_->async()->Place(&ask->context, &ask->request, &ask->response,
                        [this, ask, done = std::move(done)](const grpc::Status& status) {
                          if (status.ok()) {
                            done(PlacementFrom(ask->response));
                          } else {
                            done(Error{ErrorKind::kUnavailable, address_ + ": " + wire::Clean(status.error_message())});
                          }
                          const std::lock_guard lock(mutex_);
                          --under_way_;
                          none_.notify_all();
                        });
}

}  // namespace baton
