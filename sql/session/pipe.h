// Statements that are sent together and answered together, as libpq's pipeline mode does it: prepared ones with their
// parameters beside the text. libpqxx 6 has a pipeline of texts only, in which values would stand (I42).
#pragma once

#include <string>
#include <vector>

#include "sql/session/rows.h"

struct pg_conn;

namespace baton {

// A parameter: text as it is, or an array (sql/session/array.h, binary_array.h).
using Param = std::string;

enum class Format { kText, kBinary };

struct Piped {
  std::string statement;  // the name of a prepared one, or a text without parameters
  std::vector<Param> params = {};
  bool prepared = true;
  Format format = Format::kText;  // of all its parameters
};

// The server refused one of them; those behind it were not run.
struct StatementRefused {
  std::string sqlstate;
  std::string constraint;  // empty where it is not the fault of one
  std::string detail;      // for the log: may contain SQL and values
};

// Nobody knows which of them the server ran.
struct ConnectionEnded {
  std::string detail;
};

// What each of them gave, in their order. They are one transaction where none is open. Throws StatementRefused,
// ConnectionEnded. `statements` is not empty.
std::vector<Rows> RunPiped(pg_conn* connection, const std::vector<Piped>& statements);

// The server has said something that nobody asked for, such as that it goes down, or its end of the connection is
// closed.
bool SaidUnasked(const pg_conn* connection);

// The server's end is closed. Takes in what it has said unasked.
bool ClosedByServer(pg_conn* connection);

}  // namespace baton
