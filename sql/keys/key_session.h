// The connection of the key store and of its rotation: reads, and writes of the leader.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "orchestrator/base/result.h"
#include "orchestrator/crypto/cipher.h"
#include "orchestrator/ports/log.h"
#include "sql/session/session.h"
#include "sql/store/fence.h"

namespace baton {

class KeySession {
 public:
  KeySession(std::string url, Cipher& cipher, Log& log) : url_(std::move(url)), cipher_(cipher), log_(log) {}

  void Lead(const Leadership& leadership) { leadership_ = leadership; }
  const Leadership& leadership() const { return leadership_; }

  Result<Session*> Connected();
  Status Read(const std::function<void(Session&)>& body);
  // Fenced.
  Status Write(const std::function<void(Session&)>& body);

 private:
  const std::string url_;
  Cipher& cipher_;
  Log& log_;
  Leadership leadership_;
  std::unique_ptr<Session> session_;
};

}  // namespace baton
