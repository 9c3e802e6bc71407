// What PostgreSQL says of who wrote a row last (xmin), as it was read: a change of a row that is another one by then
// fails its batch, which is decided again (docs/decisions/0054).
#pragma once

#include <map>
#include <span>
#include <string>

#include "orchestrator/model/app_state.h"
#include "sql/read/app_reader.h"

namespace baton {

struct BatchChanges;  // sql/store/app_writer.h

using RowGuards = std::map<ActualId, std::string>;

// Of the instances that `changes` changes or removes, which `load` has read as `rows`.
RowGuards GuardsOf(const BatchChanges& changes, const AppLoad& load, std::span<const Rows> rows);

}  // namespace baton
