// What a killed part of a stack leaves running on purpose: a killed batond its PostgreSQL, a killed baton-cell its
// instances, a killed baton-router its HAProxy. Here it is ended, for parts that are not started again. Does nothing
// where nothing is left.
#pragma once

#include <string>

namespace baton::stack {

// Instances of the cell that worked in this directory, with their shims. At once, no grace.
void EndInstances(const std::string& cell_dir);
// Of the router that worked in this directory. Requests in flight are cut.
void EndHaproxy(const std::string& router_dir);
// Of the batond that was given this directory. It is stopped in order.
void EndPostgres(const std::string& postgres_dir);

// To all processes of a PostgreSQL.
void SignalPostgresProcesses(const std::string& postgres_dir, int signal);

// kill -9 of all processes of a PostgreSQL, as by a power cut. Their working directory identifies them.
void KillPostgresProcesses(const std::string& postgres_dir);

}  // namespace baton::stack
