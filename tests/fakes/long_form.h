// How long a test goes on that can go on for ever: briefly in every run of all tests, long in `./dev prove`.
#pragma once

#include <cstdlib>

namespace baton {

// `variable`: of the environment, "BATON_STORM_SECONDS"; where it is not set, `usual`.
inline int LongForm(const char* variable, int usual) {
  const char* const asked = std::getenv(variable);
  return asked ? std::atoi(asked) : usual;
}

}  // namespace baton
