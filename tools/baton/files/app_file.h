// App files: what `baton apply` reads. docs/reference/cli.md describes the format.
#pragma once

#include <string>
#include <vector>

#include "baton/v2/desired_lrp.pb.h"
#include "orchestrator/base/result.h"
#include "tools/baton/files/variables.h"

namespace baton::cli {

// One YAML document: one app as its owner wants it.
struct AppFile {
  // Secrets that are left out are marks: KeepHidden (hidden.h) puts in their place what is stored.
  v2::DesiredLRP app;
  // False: the file leaves the number of instances to an external scaler; `app` holds 1, for a new app.
  bool gives_instances = false;
  // FILE:LINE:COLUMN.
  std::string place;
};

// All documents of `text`; `name` is what messages call the file. kInvalidArgument: the YAML is malformed, a key is
// unknown, or a value is not what its key takes: the message is "FILE:LINE:COLUMN: KEY: what is expected". What only
// the server can judge is left to it.
Result<std::vector<AppFile>> ReadAppFile(const std::string& name, const std::string& text, const Variables& variables);

}  // namespace baton::cli
