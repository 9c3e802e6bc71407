#include "tools/baton/files/stored_app.h"

#include <google/protobuf/util/message_differencer.h>

#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tools/baton/files/hidden.h"
#include "tools/baton/outcome.h"
#include "tools/words/text.h"

namespace baton::cli {

namespace {

StoredApp ReadStored(Session& session, const std::string& guid) {
  v2::GetDesiredLRPRequest request;
  request.set_process_guid(guid);
  request.set_reveal_secrets(true);
  v2::GetDesiredLRPResponse known;
  const std::string what = "app " + guid;
  const grpc::Status status =
      session.api.Answer<v2::DesiredLRPs>(what, &v2::DesiredLRPs::Stub::GetDesiredLRP, request, known);
  if (status.ok()) return {std::move(*known.mutable_desired_lrp()), ""};
  if (status.error_code() == grpc::StatusCode::NOT_FOUND) return {};
  if (status.error_code() == grpc::StatusCode::DATA_LOSS) return {std::nullopt, OneLine(status.error_message())};
  throw FailureOf(status, what, session.api.connection().options());
}

}  // namespace

StoredApp Complete(Session& session, AppFile& file) {
  StoredApp stored = ReadStored(session, file.app.process_guid());
  if (stored.app && stored.app->domain() != file.app.domain()) {
    throw Failure(kFailed, file.place + ": app " + file.app.process_guid() + " is of domain " + stored.app->domain() +
                               ", not " + file.app.domain() + ": an app keeps its domain for life");
  }
  const Status kept = KeepHidden(stored.app ? &*stored.app : nullptr, file.app);
  if (kept) return stored;
  const std::string why = stored.unreadable.empty() ? "" : "; what is stored cannot be read: " + stored.unreadable;
  throw Failure(kUsage, file.place + ": " + kept.error().message + why);
}

Failure CannotCompare(const std::string& guid, const std::string& why) {
  return {kFailed, "app " + guid + ": what is stored cannot be compared (" + why +
                       "): apply a file that gives everything, instances and secrets too, without --plan, --retry, "
                       "--accept-unroutable and --port-alias, and it is replaced"};
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
