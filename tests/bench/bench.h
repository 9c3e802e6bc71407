// What `./dev bench` measures. Each part gives its figures by name.
#pragma once

#include "tests/bench/figure.h"

namespace baton::bench {

struct BenchSize {
  bool quick = false;  // a look, in less than three minutes for all of it
  bool large = false;  // also with a million apps
  bool arena = false;  // lists are decoded on arenas
};

// The calls that callers and cells make one by one, by 16 and 256 callers.
Figures BenchRequests(const BenchSize& size);
// Claims and starts of many instances, as cells report them over their streams.
Figures BenchReports(const BenchSize& size);

// Lists of everything, as streams; at a quarter and at full size.
Figures BenchLists(const BenchSize& size);
// Rolls of many apps at once, how soon a step follows another, and what a roll takes beyond its apps.
Figures BenchRolls(const BenchSize& size);
// One app of many instances, ten slots at a time: what an instance costs at the full size over what it costs at a
// quarter.
Figures BenchLargeApp(const BenchSize& size);
// 20 followers of 2,000 changes a second.
Figures BenchEvents(const BenchSize& size);
// Start, idle CPU, memory for each app and follower, sizes.
Figures BenchIdle(const BenchSize& size);
// CPU of one planner pass over an app that is in the middle of a roll, by number of instances.
Figures BenchPlanner();
// UpdateDesiredLRP through gRPC, server, batching writer and PostgreSQL (fsync on), one call at a time and many, beside
// the plainest commit that the same PostgreSQL can do.
Figures BenchStore();
// Convergence passes, collecting, repairs, delivery of events and placement.
Figures BenchConvergence(const BenchSize& size);
// The step from schema 1.1 to 2.0, of apps with five instances each.
Figures BenchMigration();

// What it takes until another batond has acknowledged a write, after the leader was killed or told to stop.
Figures BenchLeader(const BenchSize& size);
// A thousand open rolls, and the leader is killed: until all of them move again.
Figures BenchRecovery();
// A rotation of all blobs, with somebody who reads beside it: rows a second, the p99 of a read against the p99 without it,
// and memory at four times as many rows.
Figures BenchRotation();

// Calls of baton.v1 against the calls of baton.v2 that they become: batond's CPU for each.
Figures BenchOldApi();

// When other apps' rolls begin beside one app that is written a thousand times a second; and what waits and who is refused
// where PostgreSQL is too slow.
Figures BenchFairness();

// How long the rolls of 60 apps take beside ten apps that no cell takes, against what they take alone.
Figures BenchBesideRejected();

// baton-web: its start and memory, CPU beside changes, what a hundred open pages cost batond, a leader that is killed.
Figures BenchWeb(const BenchSize& size);

// The same calls with and without mutual TLS; new connections.
Figures BenchTls(const BenchSize& size);

// An online upgrade from schema 1.1, there and back, with callers that write and read all the time.
Figures BenchUpgrade();

}  // namespace baton::bench
