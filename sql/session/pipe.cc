#include "sql/session/pipe.h"

#include <libpq-fe.h>
#include <poll.h>

#include <memory>

namespace baton {
namespace {

struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, Clear>;

[[noreturn]] void Ended(PGconn* connection) { throw ConnectionEnded{PQerrorMessage(connection)}; }

bool Send(PGconn* connection, const Piped& piped) {
  if (!piped.prepared)
    return PQsendQueryParams(connection, piped.statement.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) == 1;
  std::vector<const char*> values;
  std::vector<int> lengths;
  values.reserve(piped.params.size());
  lengths.reserve(piped.params.size());
  for (const Param& param : piped.params) {
    values.push_back(param.c_str());
    lengths.push_back(static_cast<int>(param.size()));  // libpq looks at it where the format is binary
  }
  const std::vector<int> formats(values.size(), piped.format == Format::kBinary ? 1 : 0);
  return PQsendQueryPrepared(connection, piped.statement.c_str(), static_cast<int>(values.size()), values.data(),
                             lengths.data(), formats.data(), /*resultFormat=*/0) == 1;
}

std::string Field(const PGresult* result, int field) {
  const char* text = PQresultErrorField(result, field);
  return text ? text : "";
}

Rows RowsOf(ResultPtr result) {
  const int columns = PQnfields(result.get());
  const int rows = PQntuples(result.get());
  std::vector<std::string_view> names;
  for (int column = 0; column < columns; ++column) names.emplace_back(PQfname(result.get(), column));
  std::vector<std::string_view> cells;
  cells.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const bool null = PQgetisnull(result.get(), row, column) == 1;
      cells.push_back(null ? std::string_view()
                           : std::string_view(PQgetvalue(result.get(), row, column),
                                              static_cast<std::size_t>(PQgetlength(result.get(), row, column))));
    }
  }
  return {std::shared_ptr<PGresult>(std::move(result)), std::move(cells), ColumnNames(std::move(names))};
}

bool WasRun(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY;
}

// What stands behind a refused one was not run, up to the sync.
void SkipToSync(PGconn* connection) {
  while (PQstatus(connection) == CONNECTION_OK) {
    const ResultPtr result(PQgetResult(connection));
    if (result && PQresultStatus(result.get()) == PGRES_PIPELINE_SYNC) return;
  }
}

// libpq's own words about a connection that is gone carry no SQLSTATE; the server's last ones do.
[[noreturn]] void Refuse(PGconn* connection, const PGresult* result) {
  StatementRefused refused{Field(result, PG_DIAG_SQLSTATE), Field(result, PG_DIAG_CONSTRAINT_NAME),
                           PQresultErrorMessage(result)};
  if (refused.sqlstate.empty()) throw ConnectionEnded{std::move(refused.detail)};
  SkipToSync(connection);
  (void)PQexitPipelineMode(connection);
  throw refused;
}

}  // namespace

std::vector<Rows> RunPiped(pg_conn* connection, const std::vector<Piped>& statements) {
  if (PQenterPipelineMode(connection) != 1) Ended(connection);
  for (const Piped& piped : statements) {
    if (!Send(connection, piped)) Ended(connection);
  }
  if (PQpipelineSync(connection) != 1) Ended(connection);
  std::vector<Rows> rows;
  rows.reserve(statements.size());
  for (std::size_t i = 0; i < statements.size(); ++i) {
    ResultPtr result(PQgetResult(connection));
    if (!result) Ended(connection);
    if (!WasRun(result.get())) Refuse(connection, result.get());
    rows.push_back(RowsOf(std::move(result)));
    const ResultPtr behind(PQgetResult(connection));  // a null ends each
  }
  SkipToSync(connection);
  (void)PQexitPipelineMode(connection);  // it fails where the connection has gone since; all were answered
  return rows;
}

bool SaidUnasked(const pg_conn* connection) {
  pollfd look{PQsocket(connection), POLLIN, 0};
  return poll(&look, 1, 0) != 0;
}

bool ClosedByServer(pg_conn* connection) {
  // Words first, then the end of the stream, each at its own reading.
  while (SaidUnasked(connection)) {
    if (PQconsumeInput(connection) != 1) return true;
  }
  return false;
}

}  // namespace baton
