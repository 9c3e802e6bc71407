// A database of many apps, made fast.
#pragma once

#include <string>

#include "baton/v2/desired_lrps_service.pb.h"
#include "tests/bench/durable_postgres.h"

namespace baton::bench {

// One app with one running instance, made through the API: the template of all rows. Its guid is "template".
void MakeTemplate(const std::string& url, v2::DesireLRPRequest app);
// Apps `from` to `to`, so many instances each, 250 a cell, as copies of the template.
void Clone(const std::string& url, int from, int to, int instances = 1);
// The rolls by which they became what they are, one each.
void CloneRolls(DurablePostgres& postgres, int from, int to);

}  // namespace baton::bench
