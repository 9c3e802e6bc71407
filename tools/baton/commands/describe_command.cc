#include "baton/v2/definitions_service.grpc.pb.h"
#include "tools/baton/commands/reads.h"
#include "tools/baton/files/app_text.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/describe.h"
#include "tools/baton/yaml/proto_text.h"

namespace baton::cli {
namespace {

// The message for programs, or `words` for people.
template <class Words>
void PrintDescribed(Session& session, const google::protobuf::Message& message, const Words& words) {
  switch (session.arguments.output) {
    case Output::kJson: session.io.out << ToJson(message); break;
    case Output::kYaml: session.io.out << ToYaml(message); break;
    default: session.io.out << words();
  }
}

void DescribeApp(Session& session, std::int64_t now) {
  const std::string& guid = session.arguments.name;
  AppDescription description{.app = ReadApp(session, guid), .instances = {}, .definitions = {}, .open_roll = {}};
  if (session.arguments.output == Output::kYaml) {  // an app file
    session.io.out << AppText(description.app);
    return;
  }
  PrintDescribed(session, description.app, [&] {
    v2::ListActualLRPsRequest instances;
    instances.set_process_guid(guid);
    description.instances = ReadInstances(session, "", instances);
    description.definitions = ReadDefinitions(session, guid, "");
    if (!description.app.roll_id().empty()) {
      description.open_roll = ReadRoll(session, description.app.roll_id(), false).roll();
    }
    return Describe(description, now);
  });
}

// A slot may hold several instances: each is described.
void DescribeInstances(Session& session, std::int64_t now) {
  const auto instances = ReadInstances(session, session.arguments.name, {});
  if (instances.actual_lrps_size() == 0) {
    if (CountOf(instances) > 0) throw Failure(kFailed, "instance " + session.arguments.name + " cannot be read");
    throw Failure(kFailed, "no instance " + session.arguments.name + ": baton get instances lists them");
  }
  PrintDescribed(session, instances, [&] {
    std::string text;
    for (const auto& lrp : instances.actual_lrps()) text += (text.empty() ? "" : "\n") + Describe(lrp, now);
    return text;
  });
}

void DescribeCell(Session& session, std::int64_t now) {
  const v2::ListCellsResponse all = ReadCells(session);
  for (const auto& cell : all.cells()) {
    if (cell.cell_id() != session.arguments.name) continue;
    return PrintDescribed(session, cell, [&] {
      v2::ListActualLRPsRequest on_it;
      on_it.set_cell_id(cell.cell_id());
      return Describe(cell, ReadInstances(session, "", on_it), now);
    });
  }
  throw Failure(kFailed, "no cell " + session.arguments.name + ": baton get cells lists them");
}

// APP/DEFINITION, or --app APP and DEFINITION.
void DescribeDefinition(Session& session, std::int64_t now) {
  const Arguments& arguments = session.arguments;
  const std::size_t slash = arguments.app.empty() ? arguments.name.find('/') : std::string::npos;
  if (arguments.app.empty() && slash == std::string::npos) {
    throw Failure(kUsage, "'" + arguments.name + "' is no definition: give APP/DEFINITION, or --app APP");
  }
  v2::GetDefinitionRequest request;
  request.set_process_guid(arguments.app.empty() ? arguments.name.substr(0, slash) : arguments.app);
  request.set_definition_identifier(arguments.app.empty() ? arguments.name.substr(slash + 1) : arguments.name);
  const auto answer =
      session.api.Ask<v2::Definitions>("definition " + arguments.name, &v2::Definitions::Stub::GetDefinition, request);
  PrintDescribed(session, answer.definition(), [&] { return Describe(answer.definition(), now); });
}

}  // namespace

int DescribeOne(Session& session) {
  const std::int64_t now = session.io.now();
  const std::string& kind = session.arguments.kind;
  if (kind == "app") {
    DescribeApp(session, now);
  } else if (kind == "instance") {
    DescribeInstances(session, now);
  } else if (kind == "cell") {
    DescribeCell(session, now);
  } else if (kind == "definition") {
    DescribeDefinition(session, now);
  } else {
    const auto answer = ReadRoll(session, session.arguments.name, true);
    PrintDescribed(session, answer, [&] { return Describe(answer, now); });
  }
  return kDone;
}

}  // namespace baton::cli
