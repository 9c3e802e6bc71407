// Baton's API as a client that means to get there uses it: a call that is answered UNAVAILABLE (batond is away, or
// another one takes over) is made again when the answer says so, with the same idempotency key.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/admin_service.grpc.pb.h"
#include "baton/v2/cells_service.grpc.pb.h"
#include "baton/v2/definitions_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "baton/v2/events_service.grpc.pb.h"
#include "baton/v2/rolls_service.grpc.pb.h"
#include "tools/client/addresses.h"
#include "tools/client/channel.h"

namespace baton::stack {

class Api {
 public:
  // If one does not answer or lead, the next one is asked. A stop request ends all waiting with Interrupted.
  Api(const std::vector<std::string>& addresses, std::stop_token stop, const ClientCredentials& credentials = nullptr);

  // One look at each, no second try: whether a batond leads and takes calls.
  bool Available();
  bool Answers(std::size_t which);
  // Which of the addresses leads, from 0 on; nothing: none.
  std::optional<std::size_t> Leader();
  // The leader's epoch; 0: no leader.
  std::int64_t Epoch();

  // These throw StackError for what is answered with another status than OK, or is UNAVAILABLE for too long.
  v2::Roll Desire(const v2::DesiredLRP& app);
  v2::UpdateDesiredLRPResponse Update(const std::string& process_guid, const v2::DesiredLRPUpdate& update);
  void Remove(const std::string& process_guid);
  v2::Roll Pause(const std::string& process_guid);
  v2::Roll Cancel(const std::string& process_guid);
  v2::Roll Promote(const std::string& process_guid);
  // Back to this definition: the roll that does it.
  v2::Roll RollBack(const std::string& process_guid, const std::string& definition_identifier);
  void DrainCell(const std::string& cell_id);
  int RetireInstances(const std::string& process_guid);
  // The open roll, else the latest one.
  v2::GetRollResponse GetRoll(const std::string& process_guid);
  std::vector<v2::Roll> OpenRolls();
  std::vector<v2::ActualLRP> Instances(const std::string& process_guid);
  std::vector<v2::Definition> Definitions(const std::string& process_guid);
  std::vector<v2::Cell> Cells();
  // Of one kind (Event.kind), of one app, in order: everything that was committed before the call and after the event
  // with this sequence (0: all that is kept). With the sequence to go on from.
  struct PastEvents {
    std::vector<v2::Event> events;
    std::int64_t sequence = 0;
  };
  PastEvents Events(const std::string& process_guid, const std::string& kind, std::int64_t after_sequence);

  // Calls `see` with the roll as it is and the steps since, again and again, until the roll is finished or HELD; goes
  // on where it was when batond was away. Gives the last state.
  using SeeRoll = std::function<void(const v2::Roll& roll, const std::vector<v2::RollStep>& steps)>;
  v2::Roll WatchRoll(const std::string& roll_id, const SeeRoll& see);

 private:
  using Attempt = std::function<grpc::Status(grpc::ClientContext&)>;
  void Call(const std::string& name, const Attempt& attempt);
  using Changer = grpc::Status (v2::Rolls::Stub::*)(grpc::ClientContext*, const v2::ChangeRollRequest&,
                                                    v2::ChangeRollResponse*);
  v2::Roll Change(const std::string& process_guid, const char* name, Changer changer);

  std::stop_token stop_;
  struct Stubs {
    Stubs(const std::string& address, const ClientCredentials& credentials);
    std::shared_ptr<grpc::Channel> channel;
    std::unique_ptr<v2::DesiredLRPs::Stub> desired_lrps;
    std::unique_ptr<v2::Rolls::Stub> rolls;
    std::unique_ptr<v2::Definitions::Stub> definitions;
    std::unique_ptr<v2::ActualLRPs::Stub> actual_lrps;
    std::unique_ptr<v2::Cells::Stub> cells;
    std::unique_ptr<v2::Admin::Stub> admin;
    std::unique_ptr<v2::Events::Stub> events;
  };
  Stubs& at() { return stubs_.at(addresses_.present()); }
  // Asks the leader that the last one named, at once; otherwise the next in turn, if that is worth it.
  void AskNext(const grpc::ClientContext& context);
  std::optional<v2::PingResponse> Ping(Stubs& stubs);

  std::vector<std::string> given_;
  std::map<std::string, Stubs> stubs_;  // by address
  Addresses addresses_;
};

// Nothing more comes of it: it is finished, or HELD.
bool IsOver(v2::RollState state);

}  // namespace baton::stack
