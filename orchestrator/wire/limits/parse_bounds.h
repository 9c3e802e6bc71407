// How large a message becomes when protobuf parses it, told from its bytes before anything is built: an entry of two bytes
// becomes an object of a hundred, so a request of 4 MiB could take 200 MiB and more.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <cstddef>
#include <optional>
#include <string>

namespace baton::wire {

// A hello of a cell with 10,000 instances, which each say everything, has 250,000 fields and becomes 11 MiB.
inline constexpr std::size_t kParsedFieldsMax = 500'000;
inline constexpr std::size_t kParsedBytesMax = 32 << 20;
inline constexpr int kParsedDepthMax = 100;  // protobuf's own

struct ParsedShape {
  std::size_t fields = 0;  // in all depths; each element of a list is one
  std::size_t bytes = 0;   // of memory, about
};

// Looks no further than to the first bound that is broken: what it says is then above that. Nothing: protobuf cannot read
// it, or it is nested too deep.
std::optional<ParsedShape> ShapeOf(google::protobuf::io::ZeroCopyInputStream& encoded,
                                   const google::protobuf::Descriptor& type);

// What is too much in it, for people; empty: nothing.
std::string Excess(const ParsedShape& shape);

}  // namespace baton::wire
