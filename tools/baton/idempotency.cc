#include "tools/baton/idempotency.h"

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace baton::cli {

std::string NewIdempotencyKey() { return to_string(boost::uuids::random_generator()()); }

}  // namespace baton::cli
