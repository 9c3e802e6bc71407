// Which update an app file means. `stored`: the app that the file was completed from (stored_app.h). batond refuses the
// update of another one (ABORTED), as what the file leaves out was taken from this one; nullptr: it is not known.
#pragma once

#include "baton/v2/desired_lrps_service.pb.h"
#include "tools/baton/files/app_file.h"
#include "tools/baton/session.h"

namespace baton::cli {

struct ApplyFlags {
  bool retry = false;
  bool accept_unroutable = false;
  std::vector<v2::PortAlias> port_aliases;
};
// Of the command line. Throws Failure where an alias is none.
ApplyFlags FlagsOf(const Arguments& arguments);

// Whether the file says all of the app: then ReplaceDesiredLRP makes it so, and what was taken out of the file goes
// back to its default. It does not where it leaves out the instances, which are an autoscaler's then and must not be
// set back by a write that races with it, or where a flag is given that only UpdateDesiredLRP has.
bool Replaces(const AppFile& file, const ApplyFlags& flags);

v2::ReplaceDesiredLRPRequest ReplaceFor(const AppFile& file, const v2::DesiredLRP* stored);

// For the others: everything that the file gives. What it leaves out stays as the app has it, except routes,
// annotation and image credentials, which go.
v2::UpdateDesiredLRPRequest UpdateFor(const AppFile& file, const ApplyFlags& flags, const v2::DesiredLRP* stored);

// The same, only to look at; of a new app, where nothing is stored.
v2::PlanUpdateRequest PlanFor(const AppFile& file, const ApplyFlags& flags, const v2::DesiredLRP* stored);

// "updated, roll ID opened", "updated", "unchanged, roll ID goes on", "unchanged". `roll_before`: the open roll's id
// before the update; empty: none.
std::string UpdateWords(const v2::UpdateDesiredLRPResponse& answer, const std::string& roll_before);

// What an open roll does: "roll ID goes on", "roll ID is held: WHY; unblocked by: COMMAND", "roll ID goes back to v1".
std::string RollWords(const v2::Roll& roll);

}  // namespace baton::cli
