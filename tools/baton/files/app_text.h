// An app as its file: what `baton describe app X -o yaml` prints and `baton apply` takes back.
#pragma once

#include <string>

#include "baton/v2/desired_lrp.pb.h"

namespace baton::cli {

// `app` as batond shows it. ReadAppFile and KeepHidden make the app of it that is stored, whatever it is: hidden values
// are null, which keeps them, empty texts are left out, and "${" is "$${". A definition that is named by its content has no name, so that a change
// of it needs none. What the server sets stands there for programs; `apply` does not read it.
std::string AppText(const v2::DesiredLRP& app);

}  // namespace baton::cli
