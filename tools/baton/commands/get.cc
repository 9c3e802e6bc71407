#include "tools/baton/commands/reads.h"
#include "tools/baton/outcome.h"
#include "tools/baton/views/listing.h"
#include "tools/baton/yaml/proto_text.h"

namespace baton::cli {
namespace {

TableStyle Style(const Session& session) {
  return {.now = session.io.now(), .wide = session.arguments.output == Output::kWide};
}

// As JSON or YAML, or as the table that `table` makes of it.
template <class Message, class MakeTable>
int PrintListed(Session& session, const Message& message, const MakeTable& table) {
  switch (session.arguments.output) {
    case Output::kJson: session.io.out << ToJson(message); break;
    case Output::kYaml: session.io.out << ToYaml(message); break;
    default: session.io.out << Render(table(message));
  }
  return kDone;
}

// NAME and --app both name the app; together they must agree.
std::string AppNamed(const Arguments& arguments) {
  if (!arguments.name.empty() && !arguments.app.empty() && arguments.name != arguments.app) {
    throw Failure(kUsage, "both " + arguments.name + " and --app " + arguments.app + ": name one app");
  }
  return arguments.name.empty() ? arguments.app : arguments.name;
}

int GetApps(Session& session) {
  const std::string name = AppNamed(session.arguments);
  v2::ListDesiredLRPsResponse apps;
  if (name.empty()) {
    apps = ReadApps(session, session.arguments.domain);
  } else {
    *apps.add_desired_lrps() = ReadApp(session, name);
  }
  return PrintListed(session, apps, [&](const auto&) {
    v2::ListActualLRPsRequest instances;
    instances.set_domain(session.arguments.domain);
    instances.set_process_guid(name);
    v2::ListRollsRequest rolls;
    rolls.set_domain(session.arguments.domain);
    rolls.set_process_guid(name);
    return AppsTable(apps, ReadInstances(session, "", instances), ReadRolls(session, rolls), Style(session));
  });
}

int GetInstances(Session& session) {
  v2::ListActualLRPsRequest request;
  request.set_domain(session.arguments.domain);
  request.set_process_guid(session.arguments.app);
  return PrintListed(session, ReadInstances(session, session.arguments.name, request),
                     [&](const auto& instances) { return InstancesTable(instances, Style(session)); });
}

int GetCells(Session& session) {
  v2::ListCellsResponse cells;
  const v2::ListCellsResponse all = ReadCells(session);
  for (const auto& cell : all.cells()) {
    if (session.arguments.name.empty() || cell.cell_id() == session.arguments.name) *cells.add_cells() = cell;
  }
  if (cells.cells_size() == 0 && !session.arguments.name.empty()) {
    throw Failure(kFailed, "no cell " + session.arguments.name + ": baton get cells lists them");
  }
  return PrintListed(session, cells, [&](const auto& shown) { return CellsTable(shown, Style(session)); });
}

int GetRolls(Session& session) {
  const Arguments& arguments = session.arguments;
  v2::ListRollsResponse rolls;
  if (arguments.name.empty()) {
    v2::ListRollsRequest request;
    request.set_domain(arguments.domain);
    request.set_process_guid(arguments.app);
    request.set_with_finished(arguments.all);
    rolls = ReadRolls(session, request);
  } else {
    *rolls.add_rolls() = ReadRoll(session, arguments.name, false).roll();
  }
  return PrintListed(session, rolls, [&](const auto& all) { return RollsTable(all, Style(session)); });
}

int GetDefinitions(Session& session) {
  return PrintListed(session, ReadDefinitions(session, AppNamed(session.arguments), session.arguments.domain),
                     [&](const auto& all) {
                       return session.arguments.why ? ReasonsTable(all) : DefinitionsTable(all, Style(session));
                     });
}

}  // namespace

int Get(Session& session) {
  const std::string& kind = session.arguments.kind;
  if (kind == "instance") return GetInstances(session);
  if (kind == "cell") return GetCells(session);
  if (kind == "roll") return GetRolls(session);
  return kind == "definition" ? GetDefinitions(session) : GetApps(session);
}

}  // namespace baton::cli
