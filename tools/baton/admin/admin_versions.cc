// baton admin versions, leader, status: who is there, of what version, and what it is about.
#include "baton/v2/admin_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/views/joined.h"
#include "tools/words/table.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

// "STANDBY" as "standby", with what there is to say about it.
std::string Role(const v2::Batond& batond, std::int64_t epoch) {
  if (!batond.there()) return "silent";
  std::string role;
  if (batond.state() == "LEADING") {
    role = "leader, epoch " + std::to_string(epoch);
  } else {
    for (const char c : batond.state()) role += c == '_' ? ' ' : static_cast<char>(std::tolower(c));
  }
  return batond.why().empty() ? role : role + ": " + OneLine(batond.why());
}

Table Versions(const v2::VersionsResponse& versions) {
  Table table{{"SUBJECT", "SCHEMA", "APP", "API", "ROLE"}, {}};
  const bool moving = versions.schema_target() != versions.schema_migration();
  table.rows.push_back({"database",
                        versions.schema_version() + " (" + std::to_string(versions.schema_migration()) +
                            (moving ? ", on its way to " + std::to_string(versions.schema_target()) : "") + ")",
                        "", "", ""});
  for (const auto& batond : versions.batonds()) {
    // Of an older program, it waits to be upgraded; of a newer one, it is about to migrate.
    const bool other = batond.schema_migration() != versions.schema_migration();
    table.rows.push_back({"batond@" + OneLine(batond.id()), batond.schema_version() + (other ? " (updating)" : ""),
                          batond.app_version(), Joined(batond.api_versions(), " "), Role(batond, versions.epoch())});
  }
  for (const auto& cell : versions.cells()) {
    table.rows.push_back({"cell " + OneLine(cell.cell_id()), "", cell.app_version(), "v2", cell.there() ? "" : "silent"});
  }
  return table;
}

v2::StatusResponse AskStatus(Session& session) {
  Connection& connection = session.api.connection();
  v2::StatusResponse answer;
  const grpc::Status status = connection.CallOnce([&](const auto& channel, grpc::ClientContext& context) {
    return v2::Admin::NewStub(channel)->Status(&context, v2::StatusRequest(), &answer);
  });
  if (!status.ok()) throw FailureOf(status, "status", connection.options());
  return answer;
}

}  // namespace

int AdminVersions(Session& session) {
  const auto answer = session.api.Ask<v2::Admin>("versions", &v2::Admin::Stub::Versions, v2::VersionsRequest());
  if (!PrintedMessage(session, answer)) session.io.out << Render(Versions(answer));
  return kDone;
}

// Of any batond that answers: each knows who leads.
int AdminLeader(Session& session) {
  const auto answer = AskStatus(session);
  if (!PrintedMessage(session, answer)) {
    if (answer.leader_address().empty()) {
      session.io.out << "nobody leads, as far as " << OneLine(answer.id()) << " at " << answer.address() << " knows\n";
    } else {
      session.io.out << OneLine(answer.leader()) << " at " << answer.leader_address() << " leads, epoch "
                     << answer.epoch() << "\n";
    }
  }
  return answer.leader_address().empty() ? kUnreachable : kDone;
}

// Each address answers for itself; one that does not is said, and the others go on.
int AdminStatus(Session& session) {
  const std::vector<std::string> addresses = session.api.connection().options().addresses;
  Table table{{"BATOND", "ADDRESS", "STATE", "SCHEMA", "APP", "WHY"}, {}};
  std::vector<v2::StatusResponse> answers;
  bool takes_calls = false;
  for (const std::string& address : addresses) {
    ConnectionOptions options = session.api.connection().options();
    options.addresses = {address};
    Connection connection(options);
    v2::StatusResponse answer;
    const grpc::Status status = connection.CallOnce([&](const auto& channel, grpc::ClientContext& context) {
      return v2::Admin::NewStub(channel)->Status(&context, v2::StatusRequest(), &answer);
    });
    if (!status.ok()) {
      answer.set_address(address);
      answer.set_state("SILENT");
      answer.set_why(FailureOf(status, "status", options).what());
    }
    takes_calls |= answer.state() == "LEADING";
    table.rows.push_back({OneLine(answer.id()), answer.address(), answer.state(), answer.schema_version(),
                          answer.app_version(), OneLine(answer.why())});
    answers.push_back(answer);
  }
  if (session.arguments.output == Output::kJson || session.arguments.output == Output::kYaml) {
    for (const auto& answer : answers) (void)PrintedMessage(session, answer);
  } else {
    session.io.out << Render(table);
  }
  return takes_calls ? kDone : kUnreachable;
}

}  // namespace baton::cli
