#include "tests/tidy/rules.h"

namespace baton::tidy {
namespace {

const std::vector<Floor>& Service() {
  static const std::vector<Floor> kFloors = {
      {"orchestrator/model/", {}},  // 0: words
      // 1: decisions, pure
      {"orchestrator/routing/", {"orchestrator/model/"}},
      {"orchestrator/placement/", {"orchestrator/model/"}},
      {"orchestrator/access/", {"orchestrator/model/"}},
      {"orchestrator/roll/", {"orchestrator/model/", "orchestrator/routing/"}},
      {"convergence/collect", {"orchestrator/model/"}}, {"convergence/cells", {"orchestrator/model/"}},
      {"convergence/plan", {"orchestrator/model/", "orchestrator/roll/backoff.h"}},
      {"convergence/report", {"orchestrator/model/"}},
      {"schema/law", {"orchestrator/model/"}},
      // 2: what the shell needs, as nouns; messages and values
      {"orchestrator/ports/", {"orchestrator/model/", "orchestrator/placement/place.h"}},
      {"orchestrator/wire/",
       {"baton/", "convergence/collect.h", "orchestrator/access/", "orchestrator/model/", "orchestrator/roll/plan.h",
        "orchestrator/routing/bindings.h"}},
      // 3: the database
      {"sql/",
       {"orchestrator/model/", "orchestrator/ports/", "orchestrator/wire/", "schema/cipher.h",
        "schema/encrypted_columns.h", "schema/envelope.h", "schema/keys.h", "schema/version.h"}},
      {"schema/", {"orchestrator/model/", "orchestrator/wire/hash.h", "sql/session.h", "tools/system/secret_file.h"}},
      {"schema/online/", {"orchestrator/model/", "orchestrator/ports/", "schema/", "sql/"}},
      {"schema/legacy/", {"baton/", "orchestrator/model/", "orchestrator/wire/", "schema/", "sql/"}},
      // 4: use cases and loops; they meet the database as ports only
      {"orchestrator/app/",
       {"orchestrator/access/", "orchestrator/model/", "orchestrator/placement/", "orchestrator/ports/", "orchestrator/roll/",
        "orchestrator/routing/"}},
      {"convergence/gauges", {"orchestrator/model/", "orchestrator/ports/metrics.h"}},
      {"convergence/sweep", {"convergence/", "orchestrator/app/leader.h", "orchestrator/ports/"}},
      // 5: the outside. What speaks baton.v1 knows baton.v2's messages and nothing below them.
      {"orchestrator/bounds/",
       {"baton/", "orchestrator/model/", "orchestrator/ports/log.h", "orchestrator/ports/metrics.h",
        "orchestrator/wire/parse_bounds.h"}},
      {"orchestrator/transform/",
       {"baton/", "orchestrator/bounds/bounded_requests.h", "orchestrator/model/check.h", "orchestrator/model/result.h", "orchestrator/model/time.h",
        "orchestrator/model/wire_names.h"}},
      {"orchestrator/server/",
       {"baton/", "convergence/plan.h", "convergence/sweep.h", "orchestrator/access/", "orchestrator/app/", "orchestrator/bounds/", "orchestrator/model/",
        "orchestrator/placement/", "orchestrator/ports/", "orchestrator/roll/", "orchestrator/transform/",
        "orchestrator/wire/", "schema/semver.h"}},
      {"orchestrator/service/",
       {"convergence/", "orchestrator/access/", "orchestrator/app/", "orchestrator/model/", "orchestrator/ports/", "orchestrator/server/",
        "schema/", "sql/", "tools/embedded_postgres/", "tools/metrics/", "tools/system/secret_file.h"}},
      {"orchestrator/main.cc", {"orchestrator/service/", "schema/version.h", "tools/command_line/", "tools/logging/",
                                 "tools/system/", "tools/tls/"}},
  };
  return kFloors;
}

// Programs of their own: they meet the service over its API alone.
const std::vector<Floor>& Programs() {
  static const std::vector<Floor> kFloors = {
      {"tools/logging/", {"orchestrator/model/", "orchestrator/ports/log.h"}},
      {"tools/metrics/", {"orchestrator/model/", "orchestrator/ports/metrics.h"}},
      {"tools/client/", {"orchestrator/model/wire_names.h", "schema/semver.h", "schema/version.h"}},
      {"tools/tls/", {"orchestrator/access/", "orchestrator/model/", "orchestrator/ports/", "tools/system/"}},
      {"tools/contexts/", {"orchestrator/model/", "tools/system/"}},
      {"tools/embedded_postgres/", {"orchestrator/model/"}},
      {"tools/command_line/", {}},
      {"tools/system/", {"orchestrator/model/result.h"}},
      {"tools/shim/", {"baton/", "orchestrator/model/", "tools/client/", "tools/system/"}},
      {"tools/cell/",
       {"baton/", "orchestrator/model/", "orchestrator/ports/", "orchestrator/wire/content_hash.h", "schema/version.h", "tools/client/",
        "tools/command_line/", "tools/logging/", "tools/metrics/", "tools/shim/", "tools/system/", "tools/tls/"}},
      {"tools/router/",
       {"baton/", "orchestrator/model/", "orchestrator/ports/", "schema/version.h", "tools/client/", "tools/command_line/",
        "tools/logging/", "tools/metrics/", "tools/system/", "tools/tls/"}},
      {"tools/baton/", {"baton/", "orchestrator/access/identity.h", "orchestrator/model/", "orchestrator/wire/sensitive.h",
                        "schema/version.h", "tools/client/",
                        "tools/command_line/", "tools/contexts/", "tools/logging/library_logs.h", "tools/tls/"}},
      // Two commands work on databases alone.
      {"tools/baton/adopt.cc", {"tools/adopt/", "tools/baton/", "tools/command_line/passwords.h", "tools/definitions/database.h"}},
      {"tools/baton/check_database.cc", {"sql/session.h", "tools/baton/", "tools/command_line/passwords.h", "tools/definitions/database.h"}},
      {"tools/baton/database_options.cc", {"sql/database_url.h", "tools/baton/", "tools/command_line/passwords.h"}},
      {"tools/adopt/", {"orchestrator/model/", "orchestrator/wire/", "schema/", "sql/", "tools/system/"}},
      {"tools/load/", {"tools/command_line/"}},
      {"tools/law/",
       {"baton/", "orchestrator/access/", "orchestrator/model/", "orchestrator/roll/", "orchestrator/wire/", "schema/law.h", "schema/online/law.h"}},
      {"tools/definitions/",
       {"baton/", "convergence/collect.h", "orchestrator/model/", "orchestrator/placement/", "orchestrator/wire/", "schema/", "sql/",
        "tools/command_line/", "tools/embedded_postgres/", "tools/logging/library_logs.h", "tools/system/"}},
      {"tools/stack/",
       {"baton/", "orchestrator/access/identity.h", "orchestrator/model/wire_names.h", "tools/cell/", "tools/client/", "tools/embedded_postgres/", "tools/router/", "tools/shim/",
        "tools/system/", "tools/tls/"}},
      {"tools/demo/", {"baton/", "orchestrator/access/identity.h", "tools/client/", "tools/command_line/", "tools/contexts/", "tools/load/", "tools/shim/", "tools/stack/", "tools/system/"}},
      {"examples/follower/", {"baton/"}},
      {"examples/hello/", {}},
  };
  return kFloors;
}

}  // namespace

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
      {"libpqxx in one place", "", "^(sql/session\\.cc|tests/fakes/test_postgres\\.cc|tests/tidy/.*)$",
       "#include <pqxx/", "its traps are closed in sql/session.cc (docs/decisions, sql/session.h)"},
      {"gRPC's experimental TLS in one place", "", "^(tools/tls/credentials\\.cc|tests/tidy/.*)$",
       "#include <grpcpp/security/tls_", "it may change with each release of gRPC (tools/tls/credentials.h)"},
      {"gRPC at the outer edge",
       "^(orchestrator/(model|roll|routing|placement|access|ports|wire|app)|convergence|sql|schema)/", "",
       "#include (<grpcpp/|<grpc/|\"baton/v[0-9]/[a-z_]+\\.grpc\\.pb\\.h)",
       "only the server and the programs speak it"},
      {"protobuf not in the core", "^(orchestrator/(model|roll|routing|placement|access|ports|app)|convergence)/", "",
       "#include (<google/protobuf|\"baton/v[0-9])", "decisions are made of values"},
      {"Boost.MSM in .cc files", "\\.h$", "", "#include <boost/msm", "one law costs 3 s and 480 MiB to compile"},
      {"no clock, random or input in decisions",
       "^(orchestrator/(model|roll|routing|placement)/|convergence/(collect|cells|plan|report)|schema/(law|online/"
       "law|verdict|semver|steps))",
       "", "(_clock::now|std::random|#include <(random|iostream|fstream|thread)>)", "time arrives as an argument"},
      {"no SQL in C++", "\\.(cc|h)$", "^tests/",
       "\"[^\"]*\\b(SELECT .* FROM|INSERT INTO|UPDATE [a-z_]+ SET|DELETE FROM|CREATE TABLE)\\b",
       "statements live in sql/*.sql, named and with a line saying why"},
      {"a column has a name", "^(sql|schema|tools/(definitions|adopt))/.*\\.(cc|h)$", "",
       "\\.(Text|Int|Bool|IsNull|Time|OptionalTime|TextOrEmpty|View|Bytes|Array|Double)\\([0-9]",
       "its place in a statement may change (sql/column.h)"},
      {"PostgreSQL's own words are the log's", "^(sql|schema/online|orchestrator)/",
       "^(sql/(session|key_labels|pg_audit|pg_store)|orchestrator/service/(prepare|version_keeper))\\.cc$",
       "(Error\\{|Away\\().*\\.detail", "they hold SQL, values, hosts and users: callers of the API get the SQLSTATE"},
      {"no sleeping", "\\.(cc|h)$",
       "^(tests/.*wait(_until)?\\.h|tests/server/running_service\\.cc|tests/tools/router/(load|http_instance)\\.cc|"
       "tools/baton/(connection|events|follow|keys|logs|waiting)\\.cc|tools/shim/fetch\\.cc|tools/stack/"
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
