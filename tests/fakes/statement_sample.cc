#include "tests/fakes/statement_sample.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace baton {

StatementSample::StatementSample(int one_of) : one_of_(std::getenv("BATON_EACH_STATEMENT") ? 1 : one_of) {
  const char* const given = std::getenv("BATON_STATEMENT_SEED");
  const std::uint64_t seed = given ? std::stoull(given) : std::random_device{}();
  random_.seed(seed);
  if (one_of_ > 1) {
    std::printf("one statement of %d: BATON_STATEMENT_SEED=%llu takes the same ones\n", one_of_,
                static_cast<unsigned long long>(seed));
  }
}

int StatementSample::operator()() {
  const int at = before_ + std::uniform_int_distribution(1, one_of_)(random_);
  before_ += one_of_;
  return at;
}

}  // namespace baton
