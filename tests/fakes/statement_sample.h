// Before which statements of some work a test has something happen: one of so many, the same ones each time, others with
// BATON_STATEMENT_SEED=N, and each of them with BATON_EACH_STATEMENT (./dev prove migration, encryption).
#pragma once

#include <random>

namespace baton {

class StatementSample {
 public:
  // `one_of`: from each so many statements one is taken.
  explicit StatementSample(int one_of);
  // The next one; they count from 1 and only grow.
  int operator()();

 private:
  const int one_of_;
  std::mt19937_64 random_;
  int before_ = 0;
};

}  // namespace baton
