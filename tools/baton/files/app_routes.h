// Routes of an app file.
#pragma once

#include "baton/v1/desired_lrp.pb.h"
#include "tools/baton/yaml/yaml_cursor.h"

namespace baton::cli {

inline constexpr char kHttpRouter[] = "cf-router";

// A list of {hostname: NAME or hostnames: [NAME...], port: 1..65535} becomes the JSON of "cf-router", one entry each.
// A map ROUTER: ... gives each router its own: below "cf-router" such a list, below any other name anything, handed
// on as JSON (plain numbers, true, false and null as such; everything else as text). A router's `!raw TEXT` and
// `!!binary BASE64` are handed on as they are. Of a router whose routes are not shown (shown_routers.h) null becomes kKeep
// (hidden.h), and "<redacted>" is refused.
void ReadRoutes(const YamlCursor& at, v1::ProtoRoutes& routes);

}  // namespace baton::cli
