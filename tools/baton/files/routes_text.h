// Routes as people write them: a list {hostnames: [...], port: N} where there is only "cf-router", else a map ROUTER:
// its routes. What app_routes.h reads, the other way.
#pragma once

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <string>

#include "baton/v1/desired_lrp.pb.h"

namespace baton::cli {

// For programs: a router's JSON as JSON; what is none is a text. What a router keeps that is not shown (shown_routers.h) is
// "<redacted>".
nlohmann::ordered_json RoutesJson(const v1::ProtoRoutes& routes);

// For app files: ReadRoutes makes the same bytes of it, whatever they are. What has no plain form, such as JSON with
// blanks, is `!raw TEXT`; what is no text is `!!binary BASE64`. What a router keeps that is not shown is null.
void EmitRoutes(const v1::ProtoRoutes& routes, YAML::Emitter& out);

}  // namespace baton::cli
