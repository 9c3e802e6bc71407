#include "orchestrator/base/uuid.h"

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace baton {

std::string RandomUuid() {
  thread_local boost::uuids::random_generator generator;
  return to_string(generator());
}

}  // namespace baton
