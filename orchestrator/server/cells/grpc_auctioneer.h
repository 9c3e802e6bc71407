// An auctioneer outside, over gRPC (proto/baton/v2/auctioneer_service.proto).
#pragma once

#include <grpcpp/security/credentials.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "baton/v2/auctioneer_service.grpc.pb.h"
#include "orchestrator/ports/auctioneer.h"

namespace baton {

class GrpcAuctioneer final : public Auctioneer {
 public:
  // `credentials`: accept only an auctioneer's certificate; null: plain.
  GrpcAuctioneer(std::string address, const std::shared_ptr<grpc::ChannelCredentials>& credentials);
  ~GrpcAuctioneer() override;

  void Decide(Auction auction, std::function<void(Result<Placement>)> done) override;

 private:
  struct Ask;
  const std::string address_;
  std::unique_ptr<v2::Auctioneer::Stub> stub_;
  std::mutex mutex_;
  std::condition_variable none_;
  int under_way_ = 0;
};

}  // namespace baton
