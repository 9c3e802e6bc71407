// What goes wrong while a stack is started or used, as a sentence for people.
#pragma once

#include <stdexcept>

namespace baton {

class StackError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Somebody asked to stop in the middle of something. No error, but it ends what was going on in the same way.
class Interrupted : public StackError {
 public:
  Interrupted() : StackError("interrupted") {}
};

}  // namespace baton
