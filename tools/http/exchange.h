// One request that waits for its answer. Everything here is called on the server's loop, and calls back on it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tools/http/message.h"

namespace baton::http {

class Exchange {
 public:
  virtual ~Exchange() = default;

  // Once; after it nothing else. Whoever lets go of the exchange without an answer has closed the connection.
  virtual void Answer(Response response) = 0;

  // Instead of Answer: the head now, the body piece by piece, as long as it takes. `head.body` is not looked at.
  virtual void BeginStream(Response head) = 0;
  // Never blocks; pieces go out in order. Dropped once the client is gone.
  virtual void Write(std::string piece) = 0;
  virtual void End() = 0;
  // Bytes that were written and the client has not taken.
  virtual std::size_t Behind() const = 0;
  // Called once when the client is gone, or was cut off as it took nothing. Of a stream only.
  virtual void OnGone(std::function<void()> gone) = 0;
};

using ExchangePtr = std::shared_ptr<Exchange>;

}  // namespace baton::http
