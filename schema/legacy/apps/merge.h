// Applies another program's changes in the tables of 1.x to the app's rows in 2.x. Pure.
#pragma once

#include "orchestrator/model/app_edit.h"
#include "schema/legacy/apps/split.h"

namespace baton {

// `state`: all rows of the app in 2.x. `theirs`: its rows in 1.x, split; null: the app is gone there. Gives what is
// to be written, with the events of it. Of `moment` only time and ids count.
//
// An instance is the same one unless another start runs in its place (index, presence, instance_guid, cell): it keeps
// its id and what only 2.x knows of it. What 1.x does not show stays, newcomers and instances of earlier incarnations
// above all. Another definition is gone to as an update goes to it: by a roll, in place of an open one. Of an app that
// is gone what runs is left for convergence to stop, as of any app that nobody wants. Modification tags never go back,
// so that 1.x may have to be written as well (schema/legacy/take_over.h).
AppChanges Merge(AppState& state, const SplitApp* theirs, const Moment& moment);

}  // namespace baton
