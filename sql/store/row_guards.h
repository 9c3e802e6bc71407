// What PostgreSQL says of who wrote a row last (xmin), as it was read: a change of a row that is another one by then
// fails its batch, which is decided again (docs/decisions/0054).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "orchestrator/model/app_state.h"
#include "sql/read/app_reader.h"

namespace baton {

struct BatchChanges;  // sql/store/app_writer.h

// Of the instances that `changes` changes or removes, which `load` has read as `rows`.
RowGuards GuardsOf(const BatchChanges& changes, const AppLoad& load, std::span<const Rows> rows);

// Apps of `rows_min` instances or more that were read whole: their guards.
KnownRows NewlyKnown(const LoadedApps& loaded, const AppLoad& load, std::span<const Rows> rows, std::size_t rows_min);

// `known` for the next batch, after the commit of `changes`: with the rows out of `loaded`, which has them no more.
// Without apps that are broken, or not desired (nothing says when their rows were read).
KnownRows KnownAfter(LoadedApps& loaded, const BatchChanges& changes, KnownRows known, std::int64_t epoch);

}  // namespace baton
