#include "baton/v2/admin_service.grpc.pb.h"
#include "orchestrator/model/version.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/yaml/proto_text.h"
#include "tools/words/table.h"

namespace baton::cli {
bool ForPrograms(const Session& session) {
  return session.arguments.output == Output::kJson || session.arguments.output == Output::kYaml;
}

bool PrintedMessage(Session& session, const google::protobuf::Message& message) {
  if (session.arguments.output == Output::kJson) session.io.out << ToJson(message);
  if (session.arguments.output == Output::kYaml) session.io.out << ToYaml(message);
  return ForPrograms(session);
}

// Asks each address once, until one takes calls, and takes no second try: it is there to say what is now.
int Ping(Session& session) {
  Connection& connection = session.api.connection();
  v2::PingResponse answer;
  bool answered = false;  // by one that stands by at least
  const grpc::Status status = connection.CallOnce([&](const auto& channel, grpc::ClientContext& context) {
    v2::PingResponse one;
    const grpc::Status asked = v2::Admin::NewStub(channel)->Ping(&context, v2::PingRequest(), &one);
    if (!asked.ok()) return asked;
    answer = one;
    answered = true;
    return one.available() ? asked : grpc::Status(grpc::StatusCode::UNAVAILABLE, "it takes no calls");
  });
  if (!answered) throw FailureOf(status, "ping", connection.options());
  if (!PrintedMessage(session, answer)) {
    session.io.out << (answer.available() ? "available" : "not available") << ", leader "
                   << (answer.leader_address().empty() ? "unknown" : answer.leader_address()) << ", epoch "
                   << answer.epoch() << "\n";
  }
  return answer.available() ? kDone : kUnreachable;
}

int Version(Session& session) {
  if (!ForPrograms(session))
    session.io.out << "client:      " << kAppVersion << "\n" << std::flush;  // also where no server answers
  const auto answer = session.api.Ask<v2::Admin>("versions", &v2::Admin::Stub::Versions, v2::VersionsRequest());
  if (PrintedMessage(session, answer)) return kDone;
  std::string apis;
  for (const std::string& api : answer.api_versions()) apis += (apis.empty() ? "" : ", ") + api;
  session.io.out << Render(std::vector<Fact>{
      {"server", answer.app_version()},
      {"API", apis},
      {"schema", answer.schema_version() + " (migration " + std::to_string(answer.schema_migration()) + ")"},
      {"PostgreSQL", answer.postgres_version()},
      {"epoch", std::to_string(answer.epoch())}});
  return kDone;
}

}  // namespace baton::cli
