// Shapes of what is stored as blobs. Reading bytes that are no such shape gives an error or, where it says so, nothing.
#pragma once

#include <map>
#include <string>

#include "baton/v2/stored.pb.h"
#include "orchestrator/base/result.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/model/domain.h"
#include "orchestrator/model/event.h"
#include "orchestrator/model/fleet/cell.h"

namespace baton::wire {

// An instance's blob net_info: where it is reached, which starts of it are over, and its labels (StoredStarts).
std::string EncodeStart(const ActualLrp& lrp);
Status DecodeStart(const std::string& bytes, ActualLrp& lrp);

std::string Encode(const Routes& routes);
Result<Routes> DecodeRoutes(const std::string& bytes);
// What each router was given, as text: nothing is looked into.
Result<std::map<std::string, std::string>> DecodePayloads(const std::string& bytes);

std::string Encode(const Strategy& strategy);
Result<Strategy> DecodeStrategy(const std::string& bytes);

struct Credentials {
  std::string username;
  std::string password;
};
std::string Encode(const Credentials& credentials);
Result<Credentials> DecodeCredentials(const std::string& bytes);

// Metric tags stay encoded in the model.
std::string EncodeMetricTags(const google::protobuf::Map<std::string, v1::MetricTagValue>& tags);
// The same bytes, where they are what EncodeMetricTags makes.
Result<std::string> DecodeMetricTags(std::string bytes);
v2::StoredMetricTags MetricTagsFrom(const std::string& encoded);  // empty where it is none

// `after` holds the definitions that the event's rows refer to.
std::string Encode(const Event& event, const AppState& after);
// Events of no app.
std::string EncodeCellEvent(EventKind kind, const CellRecord& cell);
std::string EncodeDomainEvent(EventKind kind, const DomainRecord& domain);

}  // namespace baton::wire
