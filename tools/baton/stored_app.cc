#include "tools/baton/stored_app.h"

#include <google/protobuf/util/message_differencer.h>

#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/hidden.h"
#include "tools/baton/outcome.h"

namespace baton::cli {

std::optional<v2::DesiredLRP> Complete(Session& session, AppFile& file) {
  const std::string& guid = file.app.process_guid();
  v2::GetDesiredLRPRequest request;
  request.set_process_guid(guid);
  request.set_reveal_secrets(true);
  const auto known = session.api.Find<v2::DesiredLRPs>("app " + guid, &v2::DesiredLRPs::Stub::GetDesiredLRP, request);
  const v2::DesiredLRP* stored = known ? &known->desired_lrp() : nullptr;
  if (stored && stored->domain() != file.app.domain()) {
    throw Failure(kFailed, file.place + ": app " + guid + " is of domain " + stored->domain() + ", not " +
                               file.app.domain() + ": an app keeps its domain for life");
  }
  const Status kept = KeepHidden(stored, file.app);
  if (!kept) throw Failure(kUsage, file.place + ": " + kept.error().message);
  return stored ? std::optional(*stored) : std::nullopt;
}

bool IsAsStored(const AppFile& file, v2::DesiredLRP stored) {
  stored.DiscardUnknownFields();
  stored.clear_modification_tag();
  stored.clear_incarnation();
  stored.clear_active_definition();
  stored.clear_healthy_definition();
  stored.clear_roll_id();
  v2::LRPDefinition& definition = *stored.mutable_definition();
  const bool by_content = definition.definition_identifier() == definition.content_hash();
  if (by_content && file.app.definition().definition_identifier().empty()) definition.clear_definition_identifier();
  definition.clear_content_hash();
  if (!file.gives_instances) stored.set_instances(file.app.instances());
  return google::protobuf::util::MessageDifferencer::Equals(file.app, stored);
}

}  // namespace baton::cli
