// The error with which a command fails.
#pragma once

#include <stdexcept>
#include <string>

namespace baton::cli {

// Thrown where the failure is seen, caught once, in Run of baton.h: the sentence goes to stderr, the status to the
// shell (outcome.h).
class Failure : public std::runtime_error {
 public:
  Failure(int exit_status, const std::string& sentence) : std::runtime_error(sentence), exit_status_(exit_status) {}
  int exit_status() const { return exit_status_; }

 private:
  int exit_status_;
};

}  // namespace baton::cli
