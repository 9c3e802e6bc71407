// Decides which connections to close, by their number and what they hold: values and times in, a list out.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/bounds/connections.h"

namespace baton::bounds {

struct ConnectionLimits {
  int all = 4096;
  int of_caller = 32;            // of one certificate's name; parallel commands have one each
  int of_machine = 4;            // of a cell or router: one is in use, others may be dead and not noticed yet
  int handshakes = 1024;         // that are not over
  std::int64_t held_max = 2000;  // calls of a connection whose memory is not free: twice as many as it may have open
  int cancelled_max = 1000;      // of a connection within kCancelledWindow
};
inline constexpr std::chrono::seconds kCancelledWindow{10};
// While calls of ended connections hold more than one may, a connection of the last kCancelledWindow may hold this
// many: who is cut off comes again before the memory of his last ones is free.
inline constexpr std::int64_t kHeldByNewMax = 100;

struct KnownConnection {
  Connection connection;
  std::string who;          // "cell/cell-7"; empty: an unauthenticated caller, without a limit of its own
  bool of_machine = false;  // a cell or a router
};

struct CutOff {
  std::string peer;
  std::string who;
  const char* why = "";  // label of baton_connections_cut_off_total
  std::string limit;     // in words, with its option
};

class ConnectionBook {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit ConnectionBook(const ConnectionLimits& most) : most_(most) {}

  // Those beyond the limits: the youngest, so that what is in use stays.
  std::vector<CutOff> TooMany(const std::vector<KnownConnection>& oldest_first) const;
  // Of `accepted` those that are not known are in their handshake; the oldest ones go, so that who is quick comes through.
  std::vector<CutOff> Unfinished(const std::vector<std::string>& accepted, const std::vector<KnownConnection>& known, Time now);
  // A connection of calls that are begun only to be cancelled. `held_by_ended`: calls of connections that are gone.
  std::optional<CutOff> Flood(const KnownConnection& of, const ConnectionState& state, std::int64_t held_by_ended,
                              Time now);
  // More calls than before, of all connections, held or cancelled: then each connection is looked at.
  std::int64_t suspicious() const;
  // Whether calls of connections that have ended hold more than one connection may.
  bool pressed(std::int64_t held_by_ended) const { return held_by_ended > most_.held_max; }
  // Forgets every connection that is not in `known`.
  void Forget(const std::vector<KnownConnection>& known);

 private:
  struct Window {
    Time first_seen;  // the connection
    Time began;
    std::int64_t cancelled = 0;  // before it
  };
  const ConnectionLimits most_;
  std::map<std::string, Time> unfinished_;  // by peer, since when
  std::map<std::int64_t, Window> windows_;  // by connection
};

}  // namespace baton::bounds
