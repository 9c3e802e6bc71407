// A database of many apps, made fast.
#pragma once

#include <string>

#include "tests/bench/durable_postgres.h"

namespace baton {

// One app with one running instance, made through the API: the template of all rows.
void MakeTemplate(const std::string& url);
// Apps `from` to `to`, one instance each, 250 a cell, as copies of the template.
void Clone(DurablePostgres& postgres, int from, int to);

}  // namespace baton
