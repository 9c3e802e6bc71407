// HAProxy's runtime and master sockets: commands out, one answer for each back.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton::router {

// Cuts what HAProxy sent into answers: each ends with an empty line. (No command used here prints one inside.)
std::vector<std::string> SplitAnswers(const std::string& text);

class HaproxySocket {
 public:
  // `path`: a unix socket. With a worker's pid, `path` is the master's socket and the commands are for that worker:
  // the only way to reach one that was replaced by a reload.
  explicit HaproxySocket(std::string path, int worker_pid = 0);

  // Sends the commands, separated by ';', several in one connection (one connection takes one line), and gives the
  // answer to each, without its line end. Commands after a refused one are still carried out (measured), so all
  // answers are to be looked at. kUnavailable: no listener, or no complete answer within the deadline; what was
  // carried out then is unknown.
  Result<std::vector<std::string>> Run(const std::vector<std::string>& commands) const;

 private:
  Result<std::string> Exchange(const std::string& line) const;

  std::string path_;
  std::string prefix_;
};

// Whether HAProxy did what the command asked; what an answer to success looks like is measured, not documented.
bool Accepted(const std::string& command, const std::string& answer);

// Whether an answer to an "@!PID" command says that there is no such worker.
bool SaysNoSuchWorker(const std::string& answer);

}  // namespace baton::router
