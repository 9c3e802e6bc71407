#include "tests/tidy/rules.h"

namespace baton::tidy {
namespace {

const std::vector<Floor>& Service() {
  static const std::vector<Floor> kFloors = {
      // orchestrator, from the ground up: what everything stands on, and words
      {"orchestrator/base/", {}},
      {"orchestrator/model/", {"orchestrator/base/"}},
      // decisions, pure
      {"orchestrator/routing/", {"orchestrator/base/", "orchestrator/model/"}},
      {"orchestrator/placement/", {"orchestrator/base/", "orchestrator/model/"}},
      {"orchestrator/access/", {"orchestrator/base/", "orchestrator/model/"}},
      {"orchestrator/roll/", {"orchestrator/base/", "orchestrator/model/", "orchestrator/routing/"}},
      // what the shell needs, as nouns; keys; messages and values
      {"orchestrator/ports/", {"orchestrator/base/", "orchestrator/model/", "orchestrator/placement/place.h"}},
      {"orchestrator/crypto/", {"orchestrator/base/"}},
      {"orchestrator/wire/",
       {"baton/", "orchestrator/access/", "orchestrator/base/", "orchestrator/model/", "orchestrator/roll/plan.h",
        "orchestrator/roll/rules/collect.h", "orchestrator/routing/bindings.h"}},
      // use cases and loops; they meet the database as ports only
      {"orchestrator/app/",
       {"orchestrator/access/", "orchestrator/base/", "orchestrator/model/", "orchestrator/placement/",
        "orchestrator/ports/", "orchestrator/roll/", "orchestrator/routing/", "orchestrator/wire/stored/hash.h"}},
      // the outside. What speaks baton.v1 knows baton.v2's messages and nothing below them.
      {"orchestrator/bounds/",
       {"baton/", "orchestrator/base/", "orchestrator/model/", "orchestrator/ports/log.h",
        "orchestrator/ports/metrics.h", "orchestrator/wire/limits/parse_bounds.h"}},
      {"orchestrator/transform/",
       {"baton/", "orchestrator/base/check.h", "orchestrator/base/result.h", "orchestrator/base/time.h",
        "orchestrator/bounds/bounded_requests.h", "orchestrator/model/calls/wire_names.h"}},
      {"orchestrator/server/",
       {"baton/", "orchestrator/access/", "orchestrator/app/", "orchestrator/base/", "orchestrator/bounds/",
        "orchestrator/model/", "orchestrator/placement/", "orchestrator/ports/", "orchestrator/roll/",
        "orchestrator/transform/", "orchestrator/wire/"}},
      // convergence: what it finds is pure, the sweep is a loop
      {"convergence/cells", {"orchestrator/base/", "orchestrator/model/"}},
      {"convergence/plan", {"orchestrator/base/", "orchestrator/model/", "orchestrator/roll/rules/backoff.h"}},
      {"convergence/gauges", {"orchestrator/base/", "orchestrator/model/", "orchestrator/ports/metrics.h"}},
      {"convergence/sweep",
       {"convergence/", "orchestrator/app/leader/leader.h", "orchestrator/base/ticker.h",
        "orchestrator/model/convergence/report.h", "orchestrator/ports/", "orchestrator/roll/rules/collect.h"}},
      // the database
      {"sql/",
       {"orchestrator/base/", "orchestrator/crypto/", "orchestrator/model/", "orchestrator/ports/",
        "orchestrator/wire/"}},
      // what changes layouts; the law is pure
      {"schema/",
       {"orchestrator/base/", "orchestrator/model/", "orchestrator/wire/stored/hash.h", "sql/session/session.h"}},
      {"schema/law", {"orchestrator/base/", "orchestrator/model/"}},
      {"schema/legacy/",
       {"baton/", "orchestrator/base/", "orchestrator/crypto/", "orchestrator/model/", "orchestrator/wire/", "schema/",
        "sql/"}},
      {"schema/online/", {"orchestrator/base/", "orchestrator/model/", "orchestrator/ports/", "schema/", "sql/"}},
      // a program as the others, and all of this put together
      {"tools/batond/",
       {"convergence/", "orchestrator/access/", "orchestrator/app/", "orchestrator/base/", "orchestrator/crypto/",
        "orchestrator/model/", "orchestrator/ports/", "orchestrator/roll/rules/collect.h", "orchestrator/server/",
        "schema/", "sql/", "tools/embedded_postgres/", "tools/http_client/", "tools/metrics/"}},
      {"tools/batond/command_line",
       {"orchestrator/base/", "orchestrator/model/version.h", "tools/batond/", "tools/command_line/",
        "tools/logging/log_prefix.h"}},
      {"tools/batond/main.cc",
       {"orchestrator/base/", "orchestrator/model/version.h", "tools/batond/", "tools/command_line/", "tools/logging/",
        "tools/metrics/prometheus_metrics.h", "tools/system/", "tools/tls/"}},
  };
  return kFloors;
}

// Programs of their own: they meet the service over its API alone.
const std::vector<Floor>& Programs() {
  static const std::vector<Floor> kFloors = {
      {"tools/words/", {"orchestrator/base/time.h"}},
      {"tools/logging/",
       {"orchestrator/base/", "orchestrator/model/", "orchestrator/ports/log.h", "tools/words/times.h"}},
      {"tools/metrics/", {"orchestrator/base/", "orchestrator/model/", "orchestrator/ports/metrics.h", "tools/http/"}},
      {"tools/client/",
       {"orchestrator/model/calls/wire_names.h", "orchestrator/model/semver.h", "orchestrator/model/version.h"}},
      {"tools/tls/",
       {"orchestrator/access/", "orchestrator/base/", "orchestrator/model/", "orchestrator/ports/", "tools/system/"}},
      {"tools/contexts/", {"orchestrator/base/", "orchestrator/model/", "tools/system/"}},
      {"tools/embedded_postgres/", {"orchestrator/base/", "orchestrator/model/", "tools/system/"}},
      {"tools/command_line/", {}},
      {"tools/system/", {"orchestrator/base/"}},
      {"tools/http_client/", {"orchestrator/base/"}},
      {"tools/http/", {"orchestrator/base/"}},
      {"tools/shim/",
       {"baton/", "orchestrator/base/", "orchestrator/model/", "orchestrator/wire/stored/hash.h", "tools/client/",
        "tools/system/"}},
      {"tools/cell/",
       {"baton/", "orchestrator/base/", "orchestrator/model/", "orchestrator/ports/",
        "orchestrator/wire/stored/content_hash.h", "tools/client/", "tools/command_line/", "tools/http_client/",
        "tools/logging/", "tools/metrics/", "tools/shim/", "tools/system/", "tools/tls/"}},
      {"tools/router/",
       {"baton/", "orchestrator/base/", "orchestrator/model/", "orchestrator/ports/", "tools/client/",
        "tools/command_line/", "tools/logging/", "tools/metrics/", "tools/system/", "tools/tls/"}},
      {"tools/baton/",
       {"baton/", "orchestrator/access/identity.h", "orchestrator/base/", "orchestrator/model/",
        "orchestrator/wire/secrets/sensitive.h", "tools/client/", "tools/command_line/", "tools/contexts/",
        "tools/logging/library_logs.h", "tools/tls/", "tools/words/"}},
      // Two commands work on databases alone.
      {"tools/baton/admin/adopt.cc",
       {"tools/adopt/", "tools/baton/", "tools/command_line/passwords.h", "tools/definitions/database.h"}},
      {"tools/baton/admin/check_database.cc",
       {"sql/session/session.h", "tools/baton/", "tools/command_line/passwords.h", "tools/definitions/database.h",
        "tools/words/table.h"}},
      {"tools/baton/admin/database_options.cc",
       {"sql/session/database_url.h", "tools/baton/", "tools/command_line/passwords.h"}},
      {"tools/adopt/",
       {"orchestrator/base/", "orchestrator/model/", "orchestrator/wire/", "schema/", "sql/", "tools/system/"}},
      {"tools/web/",
       {"baton/", "orchestrator/access/", "orchestrator/base/", "orchestrator/model/", "orchestrator/ports/",
        "orchestrator/wire/messages/", "orchestrator/wire/stored/hash.h", "tools/baton/files/", "tools/client/",
        "tools/command_line/", "tools/http/", "tools/logging/", "tools/metrics/", "tools/system/", "tools/tls/"}},
      {"tools/load/", {"tools/command_line/"}},
      {"tools/law/",
       {"baton/", "orchestrator/access/", "orchestrator/base/", "orchestrator/model/", "orchestrator/roll/",
        "orchestrator/wire/", "schema/law.h", "schema/online/law.h"}},
      {"tools/law/main.cc", {"tools/law/", "tools/manual/"}},
      {"tools/manual/",
       {"orchestrator/model/version.h", "tools/baton/", "tools/batond/", "tools/cell/", "tools/definitions/",
        "tools/router/", "tools/web/command_line.h"}},
      {"tools/definitions/",
       {"baton/", "orchestrator/base/", "orchestrator/crypto/", "orchestrator/model/", "orchestrator/placement/",
        "orchestrator/roll/rules/collect.h", "orchestrator/wire/", "schema/", "sql/", "tools/command_line/",
        "tools/embedded_postgres/", "tools/logging/library_logs.h", "tools/system/", "tools/words/"}},
      {"tools/stack/",
       {"baton/", "orchestrator/access/identity.h", "orchestrator/base/", "orchestrator/model/calls/wire_names.h",
        "tools/cell/", "tools/client/", "tools/embedded_postgres/", "tools/router/", "tools/shim/", "tools/system/",
        "tools/tls/"}},
      {"tools/demo/",
       {"baton/", "orchestrator/access/identity.h", "orchestrator/base/", "tools/client/", "tools/command_line/",
        "tools/contexts/", "tools/load/", "tools/shim/", "tools/stack/", "tools/system/"}},
      {"examples/follower/", {"baton/"}},
      {"examples/hello/", {}},
  };
  return kFloors;
}

}  // namespace

// The house from the ground up: proto < orchestrator < convergence < sql < schema < tools. proto is included as what is
// made of it, baton/. No include runs back up; tests see everything.
const std::vector<std::string>& Storeys() {
  static const std::vector<std::string> kStoreys = {"baton", "orchestrator", "convergence", "sql", "schema", "tools"};
  return kStoreys;
}

// Downward only. A folder may always include itself.
const std::vector<Floor>& Floors() {
  static const std::vector<Floor> kFloors = [] {
    std::vector<Floor> floors = Service();
    floors.insert(floors.end(), Programs().begin(), Programs().end());
    return floors;
  }();
  return kFloors;
}

const std::vector<LineRule>& LineRules() {
  static const std::vector<LineRule> kRules = {
      {"libpqxx in one place", "", "^(sql/session/session\\.cc|tests/fakes/test_postgres\\.cc|tests/tidy/.*)$",
       "#include <pqxx/", "its traps are closed in sql/session/session.cc (docs/decisions, sql/session/session.h)"},
      {"gRPC's experimental TLS in one place", "", "^(tools/tls/credentials\\.cc|tests/tidy/.*)$",
       "#include <grpcpp/security/tls_", "it may change with each release of gRPC (tools/tls/credentials.h)"},
      {"gRPC at the outer edge",
       "^(orchestrator/(base|crypto|model|roll|routing|placement|access|ports|wire|app)|convergence|sql|schema)/", "",
       "#include (<grpcpp/|<grpc/|\"baton/v[0-9]/[a-z_]+\\.grpc\\.pb\\.h)",
       "only the server and the programs speak it"},
      {"protobuf not in the core",
       "^(orchestrator/(base|crypto|model|roll|routing|placement|access|ports|app)|convergence)/", "",
       "#include (<google/protobuf|\"baton/v[0-9])", "decisions are made of values"},
      {"Boost.MSM in .cc files", "\\.h$", "^orchestrator/base/pure_law\\.h$",
       "#include (<boost/msm|\"orchestrator/base/pure_law\\.h\")", "one law costs 3 s and 480 MiB to compile"},
      {"no clock, random or input in decisions",
       "^(orchestrator/(base|model|roll|routing|placement)/|convergence/(cells|plan)|"
       "schema/(law|online/law|verdict|migrator/steps))",
       "^orchestrator/base/ticker\\.", "(_clock::now|std::random|#include <(random|iostream|fstream|thread)>)",
       "time arrives as an argument"},
      {"no SQL in C++", "\\.(cc|h)$", "^tests/",
       "\"[^\"]*\\b(SELECT .* FROM|INSERT INTO|UPDATE [a-z_]+ SET|DELETE FROM|CREATE TABLE)\\b",
       "statements live in sql/statements/*.sql, named and with a line saying why"},
      {"a column has a name", "^(sql|schema|tools/(definitions|adopt))/.*\\.(cc|h)$", "",
       "\\.(Text|Int|Bool|IsNull|Time|OptionalTime|TextOrEmpty|View|Bytes|Array|Double)\\([0-9]",
       "its place in a statement may change (sql/session/column.h)"},
      {"PostgreSQL's own words are the log's", "^(sql|schema/online|orchestrator|tools/batond)/",
       "^(sql/(session/session|keys/key_labels|calls/pg_audit|store/pg_store)|"
       "tools/batond/(prepare|version_keeper))\\.cc$",
       "(Error\\{|Away\\().*\\.detail", "they hold SQL, values, hosts and users: callers of the API get the SQLSTATE"},
      {"no sleeping", "\\.(cc|h)$",
       "^(tests/.*wait(_until)?\\.h|tests/server/running_service\\.cc|tests/tools/router/(load|http_instance)\\.cc|"
       "tools/baton/(connection|commands/events|waiting/follow|admin/keys|commands/logs|waiting/waiting)\\.cc|"
       "tools/shim/downloads/fetch\\.cc|tools/stack/"
       "wait_for\\.h|examples/follower/follow\\.cc|tests/tidy/.*)$",
       "\\b(sleep_for|sleep_until|usleep|nanosleep)\\b", "wait for a condition; the exceptions poll one, or back off"},
      {"no catch-all", "\\.(cc|h)$", "^tests/", "catch \\(\\.\\.\\.\\)", "what is caught is named and answered"},
      {"no using namespace in headers", "\\.h$", "", "^using namespace", "it spreads"},
      {"nothing left for later", "\\.(cc|h|proto|sql)$", "^tests/tidy/", "\\b(TODO|FIXME|HACK)\\b",
       "open an issue instead"},
      {"what is to come is on one page", "", "^(docs/internals/roadmap\\.md|tests/tidy/.*)$",
       "([Nn]ot (yet )?(built|implemented)|[Tt]o be (built|implemented)|[Cc]oming soon|[Ii]n a (later|future) "
       "(version|release|issue)|"
       "[Ww]ill be (built|implemented|supported)|[Nn]ot (yet )?supported yet)\\b",
       "texts say what is so; what Baton lacks stands in docs/internals/roadmap.md"},
      {"no tabs", "\\.(cc|h|proto|sql)$", "^tests/tidy/", "\t", "two spaces"},
  };
  return kRules;
}

}  // namespace baton::tidy
