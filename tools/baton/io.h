// The world outside of the program: where it reads and writes, and the clock. A test puts its own here.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>

#include "tools/baton/waiting/watch_view.h"

namespace baton::cli {

struct Io {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  // What `out` is drawn on; nothing: `out` is no terminal.
  std::function<Screen()> screen;
  // Nanoseconds since 1970.
  std::function<std::int64_t()> now;
};

}  // namespace baton::cli
