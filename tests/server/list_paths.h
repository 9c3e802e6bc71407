// Each list of both APIs, as a reader of all apps has it: whom it names, and of whom it is told that they cannot be read.
#pragma once

#include <grpcpp/grpcpp.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/definitions_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "baton/v2/rolls_service.grpc.pb.h"
#include "tests/server/running_service.h"

namespace baton {

struct Seen {
  grpc::Status status;
  std::set<std::string> listed;
  std::string named;
};

// v1 says in the message itself what is left out: its callers look at no trailer.
template <class Page>
void TakeNamed(const Page& page, Seen& seen) {
  if constexpr (requires { page.unreadable(); }) {
    for (const auto& row : page.unreadable()) seen.named += row.row() + ": " + row.fault() + "\n";
  }
  if constexpr (requires { page.has_error(); }) {
    if (page.has_error()) seen.named += page.error().message();
  }
}

// One list: `rows` of a page, and the app's name of a row.
template <class Page, class Reader, class Rows, class Guid>
void ReadPages(std::map<std::string, Seen>& all, const std::string& path, Reader read, Rows rows, Guid guid) {
  Seen seen;
  const auto context = Context();
  const std::unique_ptr<grpc::ClientReader<Page>> reader = read(context.get());
  for (Page page; reader->Read(&page);) {
    for (const auto& one : rows(page)) seen.listed.insert(guid(one));
    TakeNamed(page, seen);
  }
  seen.status = reader->Finish();
  all[path] = seen;
}

inline void ReadListsOfV2(RunningService& service, std::map<std::string, Seen>& all) {
  const auto guid = [](const auto& one) { return one.process_guid(); };
  ReadPages<v2::ListDesiredLRPsResponse>(all, "ListDesiredLRPs", [&](auto* c) { return service.apps->ListDesiredLRPs(c, {}); },
                                         [](const auto& p) { return p.desired_lrps(); }, guid);
  ReadPages<v2::ListSchedulingInfosResponse>(all, "ListSchedulingInfos",
                                             [&](auto* c) { return service.apps->ListSchedulingInfos(c, {}); },
                                             [](const auto& p) { return p.scheduling_infos(); }, guid);
  ReadPages<v2::ListActualLRPsResponse>(all, "ListActualLRPs", [&](auto* c) { return service.lrps->ListActualLRPs(c, {}); },
                                        [](const auto& p) { return p.actual_lrps(); }, guid);
  v2::ListRollsRequest rolls;
  rolls.set_with_finished(true);
  ReadPages<v2::ListRollsResponse>(all, "ListRolls", [&](auto* c) { return service.rolls->ListRolls(c, rolls); },
                                   [](const auto& p) { return p.rolls(); }, guid);
  const auto definitions = v2::Definitions::NewStub(service.channel());
  ReadPages<v2::ListDefinitionsResponse>(all, "ListDefinitions", [&](auto* c) { return definitions->ListDefinitions(c, {}); },
                                         [](const auto& p) { return p.definitions(); }, guid);
}

inline std::string AppOf(const v1::ActualLRPGroup& group) {
  return (group.has_instance() ? group.instance() : group.evacuating()).actual_lrp_key().process_guid();
}

// `guids`: for the lists of apps by name.
inline void ReadListsOfV1(RunningService& service, const std::vector<std::string>& guids, std::map<std::string, Seen>& all) {
  const auto apps = v1::DesiredLRPs::NewStub(service.channel());
  const auto lrps = v1::ActualLRPs::NewStub(service.channel());
  const auto desired = [](const auto& p) { return p.desired_lrps(); };
  const auto guid = [](const auto& one) { return one.process_guid(); };
  ReadPages<v1::DesiredLRPsResponse>(all, "v1 ListDesiredLRPs", [&](auto* c) { return apps->ListDesiredLRPs(c, {}); }, desired, guid);
  ReadPages<v1::DesiredLRPsResponse>(all, "v1 ListRoutingInfos", [&](auto* c) { return apps->ListRoutingInfos(c, {}); }, desired, guid);
  ReadPages<v1::DesiredLRPSchedulingInfosResponse>(
      all, "v1 ListSchedulingInfos", [&](auto* c) { return apps->ListSchedulingInfos(c, {}); },
      [](const auto& p) { return p.desired_lrp_scheduling_infos(); },
      [](const auto& one) { return one.desired_lrp_key().process_guid(); });
  const auto actual = [](const auto& p) { return p.actual_lrps(); };
  const auto key = [](const auto& one) { return one.actual_lrp_key().process_guid(); };
  ReadPages<v1::ActualLRPsResponse>(all, "v1 ListActualLRPs", [&](auto* c) { return lrps->ListActualLRPs(c, {}); }, actual, key);
  v1::ActualLRPsByProcessGuidsRequest by_guids;
  for (const std::string& one : guids) by_guids.add_process_guids(one);
  ReadPages<v1::ActualLRPsByProcessGuidsResponse>(
      all, "v1 ListActualLRPsByProcessGuids", [&](auto* c) { return lrps->ListActualLRPsByProcessGuids(c, by_guids); }, actual, key);
  const auto groups = [](const auto& p) { return p.actual_lrp_groups(); };
  ReadPages<v1::ActualLRPGroupsResponse>(all, "v1 ListActualLRPGroups", [&](auto* c) { return lrps->ListActualLRPGroups(c, {}); }, groups,
                                         AppOf);
  Seen by_guid;
  for (const std::string& one : guids) {
    v1::ActualLRPGroupsByProcessGuidRequest request;
    request.set_process_guid(one);
    std::map<std::string, Seen> each;
    ReadPages<v1::ActualLRPGroupsResponse>(each, one, [&](auto* c) { return lrps->ListActualLRPGroupsByProcessGuid(c, request); }, groups,
                                           AppOf);
    by_guid.listed.merge(each[one].listed);
    by_guid.named += each[one].named;
    if (!each[one].status.ok()) by_guid.status = each[one].status;
  }
  all["v1 ListActualLRPGroupsByProcessGuid"] = by_guid;
}

}  // namespace baton
