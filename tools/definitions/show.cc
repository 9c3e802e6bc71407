#include "tools/definitions/show.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>

#include "baton/v2/desired_lrp.pb.h"
#include "orchestrator/base/errors.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/secrets/redact.h"
#include "orchestrator/wire/stored/stored.h"
#include "sql/read/app_reader.h"
#include "tools/definitions/listing.h"

namespace baton::definitions {
namespace {

using Json = nlohmann::ordered_json;

Error Missing(const DefinitionsOptions& options) {
  const std::string app = options.app.str();
  if (options.identifier.empty()) {
    return {ErrorKind::kNotFound,
            "app " + app +
                " is not desired, so that it has no active definition: name one, as "
                "`baton-definitions --app " +
                app + "` lists them",
            {}};
  }
  return NoDefinition(options.identifier.str(), "app " + app);
}

std::string KeyOf(const Rows::Row& row) {
  return row.Text("process_guid") + "/" + row.Text("incarnation") + "/" + row.Text("definition_identifier");
}

Result<v2::DesiredLRP> Whole(const Rows::Row& row, const Cipher& cipher) {
  const Definition definition = ReadDefinition(row);
  const auto run_info = cipher.Open({"definitions", "run_info", KeyOf(row)}, row.Bytes("run_info"));
  if (!run_info) return run_info.error();
  auto message = wire::ToMessage(definition, *run_info);
  if (!message) return message.error();
  v2::DesiredLRP whole;
  *whole.mutable_definition() = *std::move(message);
  if (row.IsNull("credentials")) return whole;  // the app is gone, or was desired again since
  const auto opened = cipher.Open({"desired_lrps", "credentials", row.Text("process_guid")}, row.Bytes("credentials"));
  if (!opened) return opened.error();
  const auto credentials = wire::DecodeCredentials(*opened);
  if (!credentials) return credentials.error();
  whole.set_image_username(credentials->username);
  whole.set_image_password(credentials->password);
  return whole;
}

// The label of a key that was not given; nothing where the blob can be opened, or is broken.
std::optional<std::string> SealedWith(const Rows::Row& row, const Cipher& cipher) {
  const auto info = InspectBlob({"definitions", "run_info", KeyOf(row)}, row.Bytes("run_info"));
  if (!info || info->format != kSealedFormat) return std::nullopt;
  const auto ring = cipher.ring();
  return ring && ring->Has(info->label) ? std::nullopt : std::optional(info->label);
}

Result<Json> JsonOf(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions print;
  print.preserve_proto_field_names = true;
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(message, &text, print).ok()) {
    return Error{ErrorKind::kInternal, "the definition cannot be written as JSON", {}};
  }
  return Json::parse(text);
}

}  // namespace

Result<Json> ShowDefinition(Session& session, const DefinitionsOptions& options, TimePoint now) {
  const Rows rows =
      session.Run("DumpDefinition", {options.app.str(), options.identifier.str(), std::to_string(options.incarnation)});
  if (rows.empty()) return Missing(options);
  const DefinitionKey key{rows[0].Int("incarnation"), DefinitionId(rows[0].Text("definition_identifier"))};
  std::vector<DumpedApp> apps = ReadDumpedApps(session, {options.app});
  ReadPlacementErrors(session, apps);
  const auto records = RecordsOf(apps.front(), options.history, now);
  Json shown = AsJson(*std::ranges::find(records, key, &DefinitionRecord::key));
  if (const auto label = SealedWith(rows[0], session.cipher())) {
    shown["sealed_with"] = *label;
    shown["definition"] = nullptr;
    return shown;
  }
  auto whole = Whole(rows[0], session.cipher());
  if (!whole) {
    return Error{
        whole.error().kind,
        "app " + options.app.str() + ", definition " + key.id.str() + ": " + whole.error().message + "; see --check",
        {}};
  }
  if (!options.reveal) wire::Redact(*whole);
  const auto definition = JsonOf(whole->definition());
  if (!definition) return definition.error();
  shown["image_username"] = whole->image_username();
  shown["image_password"] = whole->image_password();
  shown["definition"] = *definition;
  return shown;
}

}  // namespace baton::definitions
