// Who may call what, written by hand a second time: whoever changes an option in the .proto files changes it here as well, and
// means it.
#pragma once

#include <map>
#include <string>

namespace baton {

// By path, the roles' letters. V viewer, O operator, A admin, C controller, N cell, R router, U auctioneer, B batond. After '+': let in
// only through baton.v1. '!' at the end: it can show secrets.
using AccessRows = std::map<std::string, std::string>;

inline AccessRows AccessRowsOfV1() {
  return {
      {"/baton.v1.ActualLRPs/ClaimActualLRP", "N"},
      {"/baton.v1.ActualLRPs/CrashActualLRP", "N"},
      {"/baton.v1.ActualLRPs/FailActualLRP", "NU"},
      {"/baton.v1.ActualLRPs/GetActualLRPGroup", "VOACNR"},
      {"/baton.v1.ActualLRPs/ListActualLRPGroups", "VOACNR"},
      {"/baton.v1.ActualLRPs/ListActualLRPGroupsByProcessGuid", "VOACNR"},
      {"/baton.v1.ActualLRPs/ListActualLRPs", "VOACNR"},
      {"/baton.v1.ActualLRPs/ListActualLRPsByProcessGuids", "VOACNR"},
      {"/baton.v1.ActualLRPs/RemoveActualLRP", "AN"},
      {"/baton.v1.ActualLRPs/RetireActualLRP", "OAC"},
      {"/baton.v1.ActualLRPs/StartActualLRP", "N"},
      {"/baton.v1.Cells/ListCells", "VOACR"},
      {"/baton.v1.DesiredLRPs/DesireLRP", "AC"},
      {"/baton.v1.DesiredLRPs/GetDesiredLRP", "ACN!"},
      {"/baton.v1.DesiredLRPs/GetSchedulingInfo", "VOAC!"},
      {"/baton.v1.DesiredLRPs/ListDesiredLRPs", "AC!"},
      {"/baton.v1.DesiredLRPs/ListRoutingInfos", "VOACR!"},
      {"/baton.v1.DesiredLRPs/ListSchedulingInfos", "VOAC!"},
      {"/baton.v1.DesiredLRPs/RemoveDesiredLRP", "AC"},
      {"/baton.v1.DesiredLRPs/UpdateDesiredLRP", "AC"},
      {"/baton.v1.Domains/ListDomains", "VOAC"},
      {"/baton.v1.Domains/UpsertDomain", "AC"},
      {"/baton.v1.Evacuation/EvacuateClaimedActualLRP", "N"},
      {"/baton.v1.Evacuation/EvacuateCrashedActualLRP", "N"},
      {"/baton.v1.Evacuation/EvacuateRunningActualLRP", "N"},
      {"/baton.v1.Evacuation/EvacuateStoppedActualLRP", "N"},
      {"/baton.v1.Evacuation/RemoveEvacuatingActualLRP", "N"},
      {"/baton.v1.Events/SubscribeToEvents", "VOACNR"},
      {"/baton.v1.Events/SubscribeToInstanceEvents", "VOACNR"},
      {"/baton.v1.Ping/Ping", "VOACNR"},
  };
}

inline AccessRows AccessRowsOfV2() {
  return {
      {"/baton.v2.ActualLRPs/ClaimActualLRP", "N"},
      {"/baton.v2.ActualLRPs/CrashActualLRP", "N"},
      {"/baton.v2.ActualLRPs/EvacuateActualLRP", "N"},
      {"/baton.v2.ActualLRPs/FailActualLRP", "NU"},
      {"/baton.v2.ActualLRPs/ListActualLRPs", "VOACNR"},
      {"/baton.v2.ActualLRPs/ReadOutput", "AC!"},
      {"/baton.v2.ActualLRPs/RebalanceInstances", "OAC"},
      {"/baton.v2.ActualLRPs/RemoveActualLRP", "AN"},
      {"/baton.v2.ActualLRPs/RetireInstances", "OAC"},
      {"/baton.v2.ActualLRPs/StartActualLRP", "N"},
      {"/baton.v2.Admin/Convergence", "VOA"},
      {"/baton.v2.Admin/GetApiUsage", "VOA"},
      {"/baton.v2.Admin/Keys", "OA"},
      {"/baton.v2.Admin/ListAudit", "VOA"},
      {"/baton.v2.Admin/Ping", "VOACNR"},
      {"/baton.v2.Admin/RotateKeys", "A"},
      {"/baton.v2.Admin/Status", "VOAC"},
      {"/baton.v2.Admin/Versions", "VOAC"},
      {"/baton.v2.Auctioneer/Place", "B"},
      {"/baton.v2.Cells/Connect", "N"},
      {"/baton.v2.Cells/DrainCell", "OAN"},
      {"/baton.v2.Cells/ListCells", "VOACR"},
      {"/baton.v2.Cells/UndrainCell", "OAN"},
      {"/baton.v2.Definitions/GetDefinition", "VOACN!"},
      {"/baton.v2.Definitions/ListDefinitions", "VOAC"},
      {"/baton.v2.Definitions/PinDefinition", "OAC"},
      {"/baton.v2.DesiredLRPs/DesireLRP", "AC"},
      {"/baton.v2.DesiredLRPs/GetDesiredLRP", "VOAC+N!"},
      {"/baton.v2.DesiredLRPs/ListDesiredLRPs", "VOAC!"},
      {"/baton.v2.DesiredLRPs/ListSchedulingInfos", "VOAC+R!"},
      {"/baton.v2.DesiredLRPs/PlanUpdate", "OAC"},
      {"/baton.v2.DesiredLRPs/RemoveDesiredLRP", "AC"},
      {"/baton.v2.DesiredLRPs/ReplaceDesiredLRP", "AC"},
      {"/baton.v2.DesiredLRPs/UpdateDesiredLRP", "AC"},
      {"/baton.v2.Domains/ListDomains", "VOAC"},
      {"/baton.v2.Domains/SetDomainEgress", "A"},
      {"/baton.v2.Domains/UpsertDomain", "AC"},
      {"/baton.v2.Events/Subscribe", "VOACNR"},
      {"/baton.v2.Rolls/CancelRoll", "OAC"},
      {"/baton.v2.Rolls/ExplainRoll", "VOAC"},
      {"/baton.v2.Rolls/GetRoll", "VOAC"},
      {"/baton.v2.Rolls/ListRolls", "VOAC"},
      {"/baton.v2.Rolls/PauseRoll", "OAC"},
      {"/baton.v2.Rolls/PromoteRoll", "OAC"},
      {"/baton.v2.Rolls/ResumeRoll", "OAC"},
      {"/baton.v2.Rolls/RetryRoll", "OAC"},
      {"/baton.v2.Rolls/RollBack", "OAC"},
      {"/baton.v2.Rolls/WaitRoll", "VOAC"},
      {"/baton.v2.Rolls/WatchRoll", "VOAC"},
      {"/baton.v2.Routes/Connect", "R"},
      {"/baton.v2.Routes/ListEndpoints", "VOACR"},
      {"/baton.v2.Routes/ListRouteConsumers", "VOA"},
      {"/baton.v2.Routes/RemoveRouteConsumer", "OA"},
      {"/baton.v2.Upgrades/BeginUpgrade", "A"},
      {"/baton.v2.Upgrades/FinishUpgrade", "A"},
      {"/baton.v2.Upgrades/GetUpgrade", "VOA"},
      {"/baton.v2.Upgrades/RollBackUpgrade", "A"},
  };
}

inline const AccessRows& AccessTable() {
  static const AccessRows kTable = [] {
    AccessRows all = AccessRowsOfV1();
    all.merge(AccessRowsOfV2());
    return all;
  }();
  return kTable;
}

}  // namespace baton
