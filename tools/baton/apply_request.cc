#include "tools/baton/apply_request.h"

#include "tools/baton/outcome.h"

namespace baton::cli {

bool Replaces(const AppFile& file, const ApplyFlags& flags) {
  return file.gives_instances && !flags.retry && !flags.accept_unroutable;
}

v2::UpdateDesiredLRPRequest UpdateFor(const AppFile& file, const ApplyFlags& flags) {
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid(file.app.process_guid());
  v2::DesiredLRPUpdate& update = *request.mutable_update();
  if (file.gives_instances) update.set_instances(file.app.instances());
  *update.mutable_routes() = file.app.routes();
  update.set_annotation(file.app.annotation());
  *update.mutable_metric_tags() = file.app.metric_tags();
  update.set_image_username(file.app.image_username());
  update.set_image_password(file.app.image_password());
  if (file.app.has_strategy()) *update.mutable_strategy() = file.app.strategy();
  *update.mutable_desired_lrp()->mutable_definition() = file.app.definition();
  update.mutable_desired_lrp()->set_log_guid(file.app.log_guid());
  update.set_retry(flags.retry);
  update.set_accept_unroutable(flags.accept_unroutable);
  return request;
}

std::string UpdateWords(const v2::UpdateDesiredLRPResponse& answer, const std::string& roll_before) {
  std::string words = answer.changed() ? "updated" : "unchanged";
  const std::string& roll = answer.roll().roll_id();
  if (roll.empty() || IsFinished(answer.roll().state())) return words;
  return words + ", roll " + roll + (roll == roll_before ? " goes on" : " opened");
}

}  // namespace baton::cli
