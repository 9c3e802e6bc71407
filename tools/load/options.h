// What the load sends, and where.
#pragma once

#include <chrono>
#include <string>

namespace baton::load {

struct LoadOptions {
  // "host:port"; a name is looked up once, at the start.
  std::string target = "127.0.0.1:8080";
  // What the Host header says: the route.
  std::string host = "hello.example";
  // Requests a second, more than 0. A request is sent when its time has come, however many are still unanswered.
  double rate = 200;
  // Each so many-th request is a slow one; 0: none.
  int slow_every = 20;
  int slow_ms = 800;
  // A request without an answer for so long, counted from when it was due, has failed.
  std::chrono::milliseconds timeout{10'000};
  // Kept-alive connections: this many are opened one by one and then used in turn.
  int kept_connections = 8;
  // More are opened, and kept, when all are busy, up to this many. With these busy too a request waits for the first
  // one that gets free, while its own time runs.
  int kept_connections_most = 64;
};

}  // namespace baton::load
