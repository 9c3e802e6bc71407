// An HTTP server for tests that misbehaves exactly as told, request by request. One thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace baton::load {

// A request as it came.
struct ScriptedRequest {
  // From 0, in the order of arrival.
  int number = 0;
  // It came on a kept-alive connection.
  bool kept = false;
  std::string target;
  std::string body;
  std::map<std::string, std::string> headers = {};  // names in lower case
};

struct ScriptedReply {
  enum class Then {
    // The connection stays open if the request allows it.
    kKeep,
    // Closed with "Connection: close" in the answer.
    kAnnounceAndClose,
    // Closed after a whole answer that did not say so.
    kCloseUnannounced,
    // Half of the answer's body, then closed.
    kCloseHalfway,
    // Closed without an answer.
    kCloseUnanswered,
    // Nothing, ever; the connection stays open.
    kNothing,
  };
  Then then = Then::kKeep;
  int status = 200;
  std::string body;
  int delay_ms = 0;
};

// A good body of this slot.
std::string HelloBody(int index);

class ScriptedServer {
 public:
  using Script = std::function<ScriptedReply(const ScriptedRequest&)>;

  // `script` is called by the server's thread.
  explicit ScriptedServer(Script script);
  ~ScriptedServer();

  std::string Target() const;
  // Waits until so many requests have come; false: not within 20 s.
  bool WaitForRequests(int count) const;
  int requests() const;
  // The most kept-alive connections that had a request in hand at one time.
  int most_kept_busy() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace baton::load
