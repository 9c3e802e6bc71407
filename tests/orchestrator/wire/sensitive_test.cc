// Each text that comes from an app, its writer or its cell either is hidden by its option (baton.v2.sensitive) or stands here, with why
// it is shown to everybody who may read the message.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "baton/v1/events.pb.h"
#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/admin_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/definitions_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/domains_service.pb.h"
#include "baton/v2/events_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "baton/v2/routes_service.pb.h"
#include "baton/v2/upgrades_service.pb.h"
#include "orchestrator/wire/secrets/redact.h"

namespace baton::wire {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::MethodDescriptor;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Fields by their full names; "*.x": of any message; "M.*": all others of the message.
const std::map<std::string, std::string>& ShownTexts() {
  static const std::map<std::string, std::string> kShown = {
      {"*.process_guid", "a name: what everything is told by"},
      {"*.domain", "a name"},
      {"*.log_guid", "a name"},
      {"*.metrics_guid", "a name"},
      {"*.log_source", "a tag on log lines"},
      {"*.definition_identifier", "a name"},
      {"*.content_hash", "a hash over more than anybody can guess"},
      {"*.actual_id", "an id of batond's"},
      {"*.roll_id", "an id of batond's"},
      {"*.artifact", "a name, for log lines"},
      {"*.cache_key", "a name"},
      {"*.checksum_algorithm", "one of three words"},
      {"*.checksum_value", "a hash of a file that others have, too"},
      {"*.user", "a name of an account"},
      {"*.root_fs", "placement goes by it, in the clear"},
      {"*.placement_tags", "placement goes by them, in the clear"},
      {"*.PlacementTags", "placement goes by them, in the clear"},
      {"*.volume_drivers", "placement goes by them, in the clear"},
      {"*.image_username", "a name; the password is beside it"},
      {"*.legacy_download_user", "a name of an account"},
      {"*.trusted_system_certificates_path", "a path in the container"},
      {"*.metric_tags", "metrics are labelled with them, and read by everybody (docs/decisions/0032)"},
      {"*.update_identifier", "a name"},
      {"*.plan_token", "a hash; it gives no right"},
      {"*.availability_zone", "a name of a zone"},
      {"*.placement_error", "batond's or a cell's sentence about room"},
      {"*.state", "one of a few words"},
      {"*.actor", "a name of a caller"},
      {"baton.v1.ActualLRPInstanceKey.*", "names of a cell and of a start"},
      {"baton.v1.ActualLRPInternalRoute.hostname", "a host name, which routers and operators go by"},
      {"baton.v1.ActualLRPNetInfo.*", "addresses"},
      {"baton.v1.CachedDependency.*", "a name, and a path in the container"},
      {"baton.v1.CertificateProperties.organizational_unit", "it stands in certificates that are shown to everybody"},
      {"baton.v1.DedicatedDevice.mounter_id", "a name"},
      {"baton.v1.DownloadAction.to", "a path in the container"},
      {"baton.v1.EmitProgressAction.*", "they are log lines: the app's log has them"},
      {"baton.v1.EnvironmentVariable.name", "a name: the value is beside it"},
      {"baton.v1.File.path", "a path: the content is beside it"},
      {"baton.v1.HTTPCheck.path", "the app's port answers it to everybody who reaches it"},
      {"baton.v1.ImageLayer.*", "a name, a path in the container, and a hash"},
      {"baton.v1.MetricTagValue.static", "metrics are labelled with it, and read by everybody (docs/decisions/0032)"},
      {"baton.v1.ModificationTag.epoch", "an id of batond's"},
      {"baton.v1.Network.properties", "what a network is told of an app, ids in Diego (docs/decisions/0032)"},
      {"baton.v1.RunAction.path", "a path in the container: its arguments are beside it"},
      {"baton.v1.RunAction.dir", "a path in the container"},
      {"baton.v1.SecurityGroupRule.*", "who looks after networks reads what apps may connect to (docs/decisions/0032)"},
      {"baton.v1.SharedDevice.volume_id", "a name"},
      {"baton.v1.UploadAction.from", "a path in the container"},
      {"baton.v1.VolumeMount.*", "names, and a path in the container"},
      {"baton.v1.VolumePlacement.driver_names", "placement goes by them, in the clear"},
      {"baton.v2.ActualLRP.*", "names of routers"},
      {"baton.v2.CellReport.*", "an id of batond's, and the cell's name for the start"},
      {"baton.v2.CellReport.Crashed.reason", "the cell's sentence"},
      {"baton.v2.CellReport.Rejected.reason", "the cell's sentence; nothing of the app has run"},
      {"baton.v2.DesiredLRP.*", "names of definitions"},
      {"baton.v2.DesiredLRPSchedulingInfo.active_definition", "a name"},
      {"baton.v2.Definition.route_ports", "host names, which routers and operators go by"},
      {"baton.v2.Reason.*", "a rule's name, and what unblocks it"},
      {"baton.v2.Roll.*", "names of definitions, and what an outside verdict answers"},
      {"baton.v2.RollStep.kind", "one of a few words"},
  };
  return kShown;
}

// Those that say how others are shown.
std::string EntryOf(const FieldDescriptor& field) {
  const std::string holder = field.containing_type()->full_name();
  for (const std::string& entry : {field.full_name(), "*." + field.name(), holder + ".*"}) {
    if (ShownTexts().contains(entry)) return entry;
  }
  return "";
}

void Walk(const Descriptor& kind, std::set<const Descriptor*>& seen, std::vector<const FieldDescriptor*>& texts) {
  if (!seen.insert(&kind).second) return;
  for (int i = 0; i < kind.field_count(); ++i) {
    const FieldDescriptor& field = *kind.field(i);
    const auto is_text = [](const FieldDescriptor& one) { return one.cpp_type() == FieldDescriptor::CPPTYPE_STRING; };
    if (field.is_map() ? is_text(*field.message_type()->map_key()) || is_text(*field.message_type()->map_value()) : is_text(field)) {
      texts.push_back(&field);
    }
    if (!field.message_type()) continue;
    const Descriptor* inner = field.is_map() ? field.message_type()->map_value()->message_type() : field.message_type();
    if (inner) Walk(*inner, seen, texts);
  }
}

std::vector<const FieldDescriptor*> TextsOfApps() {
  std::set<const Descriptor*> seen;
  std::vector<const FieldDescriptor*> texts;
  for (const Descriptor* root :
       {v2::DesiredLRP::descriptor(), v2::DesiredLRPUpdate::descriptor(), v2::DesiredLRPSchedulingInfo::descriptor(),
        v2::Definition::descriptor(), v2::ActualLRP::descriptor(), v2::Roll::descriptor(), v2::RollStep::descriptor(),
        v2::CellReport::descriptor(), v1::DesiredLRP::descriptor(), v1::DesiredLRPUpdate::descriptor(),
        v1::DesiredLRPSchedulingInfo::descriptor(), v1::ActualLRP::descriptor(), v1::ActualLRPInfo::descriptor(),
        v1::ActualLRPCrashedEvent::descriptor()}) {
    Walk(*root, seen, texts);
  }
  return texts;
}

TEST(Sensitive, EachTextOfAnAppIsHiddenOrIsShownForAReason) {
  std::set<std::string> without, both, used;
  int hidden = 0;
  for (const FieldDescriptor* field : TextsOfApps()) {
    const std::string entry = EntryOf(*field);
    const bool secret = IsSecret(*field);
    hidden += secret;
    if (!secret) used.insert(entry);
    if (!secret && entry.empty()) without.insert(field->full_name());
    if (secret && entry == field->full_name()) both.insert(entry);
  }
  EXPECT_THAT(without, IsEmpty()) << "say (baton.v2.sensitive), or here why it is no secret";
  EXPECT_THAT(both, IsEmpty());
  for (const auto& [entry, why] : ShownTexts()) EXPECT_TRUE(used.contains(entry)) << entry << " is of no field any more";
  EXPECT_GT(hidden, 20);
}

TEST(Sensitive, AnOptionIsOnWhatCanBeHidden) {
  for (const FieldDescriptor* field : TextsOfApps()) {
    const v2::Sensitive kind = SensitivityOf(*field);
    if (kind == v2::NOT_SENSITIVE) continue;
    if (kind == v2::ROUTES) {
      EXPECT_EQ(field->full_name(), "baton.v1.ProtoRoutes.routes");
    } else {
      EXPECT_EQ(field->cpp_type(), FieldDescriptor::CPPTYPE_STRING) << field->full_name();
    }
  }
}

// An answer that can hold a secret goes by a way that hides it: a new one is added there, and here.
TEST(Sensitive, EachCallWhoseAnswerCanHoldOneIsKnown) {
  std::vector<std::string> methods;
  for (const auto* file : {v2::DesireLRPRequest::descriptor()->file(), v2::GetDefinitionRequest::descriptor()->file(),
                           v2::ListActualLRPsRequest::descriptor()->file(), v2::GetRollRequest::descriptor()->file(),
                           v2::SubscribeRequest::descriptor()->file(), v2::ListCellsRequest::descriptor()->file(),
                           v2::ListEndpointsRequest::descriptor()->file(), v2::UpsertDomainRequest::descriptor()->file(),
                           v2::PingRequest::descriptor()->file(), v2::GetUpgradeRequest::descriptor()->file()}) {
    for (int i = 0; i < file->service(0)->method_count(); ++i) {
      const MethodDescriptor& method = *file->service(0)->method(i);
      if (HoldsSecrets(*method.output_type())) methods.push_back(file->service(0)->name() + "/" + method.name());
    }
  }
  EXPECT_THAT(methods,
              UnorderedElementsAre(
                  // server/calls/api_call.h: writes
                  "DesiredLRPs/DesireLRP", "DesiredLRPs/UpdateDesiredLRP", "DesiredLRPs/ReplaceDesiredLRP",
                  "DesiredLRPs/GetDesiredLRP", "DesiredLRPs/ListDesiredLRPs", "DesiredLRPs/ListSchedulingInfos",
                  "Definitions/GetDefinition", "Definitions/ListDefinitions", "Definitions/PinDefinition",
                  // server/calls/page_stream.h: lists; read_output.cc, for who may see what apps write
                  "ActualLRPs/ListActualLRPs", "ActualLRPs/ReadOutput", "Rolls/GetRoll", "Rolls/ListRolls",
                  "Rolls/WatchRoll", "Rolls/WaitRoll", "Rolls/ExplainRoll", "Rolls/PauseRoll", "Rolls/ResumeRoll",
                  "Rolls/PromoteRoll", "Rolls/RetryRoll", "Rolls/CancelRoll", "Rolls/RollBack", "Events/Subscribe"));
}

}  // namespace
}  // namespace baton::wire
