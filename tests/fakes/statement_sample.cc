#include "tests/fakes/statement_sample.h"

#include <cstdlib>
#include <string>

namespace baton {

StatementSample::StatementSample(int one_of) : one_of_(std::getenv("BATON_EACH_STATEMENT") ? 1 : one_of) {
  const char* const given = std::getenv("BATON_STATEMENT_SEED");
  random_.seed(given ? std::stoull(given) : 1);
}

int StatementSample::operator()() {
  const int at = before_ + std::uniform_int_distribution(1, one_of_)(random_);
  before_ += one_of_;
  return at;
}

}  // namespace baton
