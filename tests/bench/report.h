// The figures for people, and for programs.
#pragma once

#include <cstdio>
#include <ostream>
#include <string>

#include "tests/bench/figure.h"

namespace baton::bench {

// Where and when: cores and their kind, memory, kernel, PostgreSQL, Baton, the load before it began.
std::string RunDescription();

// One row a figure: value, how many, p50 and p99, CPU an operation, and whether it reaches what is asked of it.
void PrintTable(std::FILE* out, const Figures& figures);
// Demands that no figure of this run answers: nothing is dropped in silence.
void PrintUnanswered(std::FILE* out, const Figures& figures);
// One object a line: name, value, unit, n, p50, p99, cpu_service_ms_per_op, cpu_postgres_ms_per_op,
// cpu_client_ms_per_op, rss_mb, and asked and reach where something is asked of the value. Throughputs in 1/s, times in
// ms, memory in MB; what was not measured is null. The first line is {"name": "run", "value": seconds since 1970, ...} and
// describes the run.
void WriteJsonLines(std::ostream& out, const Figures& figures, const std::string& run);

}  // namespace baton::bench
