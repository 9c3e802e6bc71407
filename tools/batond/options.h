// How batond is told to run.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "orchestrator/base/time.h"
#include "orchestrator/model/calls/allowed_hosts.h"
#include "orchestrator/model/convergence/convergence.h"
#include "orchestrator/roll/rules/collect.h"
#include "orchestrator/server/callers/caller_limits.h"
#include "orchestrator/server/callers/identity_limits.h"

namespace grpc {
class ChannelCredentials;
class ServerCredentials;
}

namespace baton::batond {

struct ServiceOptions {
  // One of the two.
  std::string embedded;  // directory of a PostgreSQL of our own
  std::string database;  // what libpq takes
  std::string database_owner = {};  // the same, as who may make tables: for migrations alone; empty: as who does all else

  // What is remembered of the store outside of it (schema/memory.h); empty: nothing.
  std::string state_file;

  // When it is told to stop while it leads, it takes the data back to this schema before another may lead; 0: no.
  std::int64_t rollback_on_drain_to = 0;

  // Data of an older layout is served as it is, until an operator begins the upgrade; else it is migrated first.
  bool upgrade_online = false;

  std::string listen = "127.0.0.1:8891";
  std::shared_ptr<grpc::ServerCredentials> credentials = nullptr;  // TLS that asks for certificates; null: insecure
  std::string trust_domain = {};                                   // of the certificates: "baton.example"
  std::function<std::chrono::sys_seconds()> certificate_expires;   // of our own; null: there is none
  std::string access;   // file of what controllers, cells and routers may touch; empty: all of what their role may call
  std::string revoked;  // file of certificates and names that are refused; empty: none
  Duration access_look = seconds(5);  // between two looks at these files, and at streams whose certificate may be over
  IdentityLimits::Most identity;      // that one caller may have under way
  CallerLimits callers;               // and what he may have beside that
  std::string advertise;  // host:port under which others reach it, told to clients; empty: as it listens
  std::string metrics = "127.0.0.1:9891";  // empty: none
  std::string id;                          // in the lease row, for people; empty: host name and process id

  Duration leader_lease = milliseconds(2000);
  Duration cell_lease = seconds(10);
  Duration route_lease = seconds(30);
  Duration heartbeat = seconds(1);  // of cells and route consumers
  Duration stream_write = seconds(30);  // that a message of a stream waits for its reader
  Duration stop_grace = seconds(10);
  Duration claim = seconds(5);
  Duration converge_every = seconds(5);
  Duration count_every = seconds(30);  // passes that count, too
  LossLimits losses;
  AllowedHosts verdict_allow;  // nobody is asked but these
  int history = kHistoryDefault;
  Duration audit_kept = std::chrono::hours(24 * 90);
  std::string auctioneer;  // host:port of one outside; empty: batond places instances by itself
  std::shared_ptr<grpc::ChannelCredentials> auctioneer_credentials = nullptr;  // TLS that takes an auctioneer alone; null: plain
  std::string keys;        // file of the keys of encryption at rest; empty: none, and blobs are plain
  int read_threads = 4;
  int list_memory_mb = 256;  // for what is kept of lists; 0: nothing is
  int write_shards = 2;
  int streams_max = 1000;        // of a connection
  bool reflection = false;       // whoever asks is told all services and messages
  std::size_t queue_max = 10000;  // calls that wait for one of these; more are refused with RESOURCE_EXHAUSTED
};

}  // namespace baton::batond
