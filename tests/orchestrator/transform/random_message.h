// Messages with anything in them that their descriptors allow.
#pragma once

#include <google/protobuf/message.h>

#include <random>

namespace baton {

// Sets about two thirds of the fields; texts are short words, messages nest `depth` deep.
void Fill(google::protobuf::Message& message, std::mt19937_64& random, int depth = 4);

}  // namespace baton
