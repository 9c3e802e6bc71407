// What goes wrong while a stack is started or used, as a sentence for people.
#pragma once

#include <stdexcept>

namespace baton::stack {

class StackError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A stop was requested in the middle of an operation. No error, but it ends the operation in the same way.
class Interrupted : public StackError {
 public:
  Interrupted() : StackError("interrupted") {}
};

}  // namespace baton::stack
