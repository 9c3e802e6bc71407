#include "orchestrator/wire/limits/parse_bounds.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/message.h>
#include <google/protobuf/wire_format_lite.h>

#include <unordered_map>

namespace baton::wire {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::io::CodedInputStream;
using WireFormat = google::protobuf::internal::WireFormatLite;

// Beside what an object itself takes: its place in the list, and what the allocator adds.
constexpr std::size_t kPlaceBytes = 24;
constexpr std::size_t kTextBytes = sizeof(std::string) + kPlaceBytes;
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kUnknownBytes = 24;
// Of a map's entry, beside its key and value: a node of a hash table.
constexpr std::size_t kEntryBytes = 48;

// The generated class of a map's entry has no reflection: to ask its prototype ends the program.
std::size_t ObjectBytes(const Descriptor& type) {
  if (type.options().map_entry()) return kEntryBytes;
  thread_local std::unordered_map<const Descriptor*, std::size_t> known;
  const auto [at, fresh] = known.try_emplace(&type, 0);
  if (fresh) {
    const auto* prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(&type);
    at->second = prototype ? prototype->SpaceUsedLong() : 0;
  }
  return at->second;
}

class Scan {
 public:
  explicit Scan(google::protobuf::io::ZeroCopyInputStream& encoded) : in_(&encoded) {}

  // False: cannot be read. `type` null: unknown to us, and so is all within. `group`: ends with the end tag of that number.
  bool Message(const Descriptor* type, int depth, int group) {
    if (depth > kParsedDepthMax) return false;
    while (!Excessive()) {
      const std::uint32_t tag = in_.ReadTag();
      if (tag == 0) return group == 0 && in_.ConsumedEntireMessage();
      const int number = WireFormat::GetTagFieldNumber(tag);
      if (number == 0) return false;
      if (WireFormat::GetTagWireType(tag) == WireFormat::WIRETYPE_END_GROUP) return number == group;
      ++shape_.fields;
      const FieldDescriptor* field = type ? type->FindFieldByNumber(number) : nullptr;
      if (!Field(field, number, WireFormat::GetTagWireType(tag), depth)) return false;
    }
    return true;
  }
  bool Excessive() const { return shape_.fields > kParsedFieldsMax || shape_.bytes > kParsedBytesMax; }
  const ParsedShape& shape() const { return shape_; }

 private:
  bool Field(const FieldDescriptor* field, int number, WireFormat::WireType kind, int depth) {
    std::uint64_t value = 0;
    shape_.bytes += field ? kNumberBytes : kUnknownBytes;
    switch (kind) {
      case WireFormat::WIRETYPE_VARINT: return in_.ReadVarint64(&value);
      case WireFormat::WIRETYPE_FIXED64: return in_.Skip(8);
      case WireFormat::WIRETYPE_FIXED32: return in_.Skip(4);
      case WireFormat::WIRETYPE_START_GROUP: return Message(nullptr, depth + 1, number);
      case WireFormat::WIRETYPE_LENGTH_DELIMITED: return Delimited(field, depth);
      default: return false;
    }
  }

  bool Delimited(const FieldDescriptor* field, int depth) {
    int length = 0;
    if (!in_.ReadVarintSizeAsInt(&length)) return false;
    if (field && field->type() == FieldDescriptor::TYPE_MESSAGE) {
      shape_.bytes += ObjectBytes(*field->message_type()) + kPlaceBytes;
      const auto outer = in_.PushLimit(length);
      const bool read = Message(field->message_type(), depth + 1, 0);
      if (read && !Excessive() && in_.BytesUntilLimit() != 0) return false;
      in_.PopLimit(outer);
      return read;
    }
    if (field && field->is_packable()) {
      // Each takes a byte at least.
      shape_.fields += static_cast<std::size_t>(length);
      shape_.bytes += static_cast<std::size_t>(length) * kNumberBytes;
    } else {
      shape_.bytes += kTextBytes + static_cast<std::size_t>(length);
    }
    return in_.Skip(length);
  }

  CodedInputStream in_;
  ParsedShape shape_;
};

}  // namespace

std::optional<ParsedShape> ShapeOf(google::protobuf::io::ZeroCopyInputStream& encoded, const Descriptor& type) {
  Scan scan(encoded);
  if (!scan.Message(&type, /*depth=*/0, /*group=*/0) && !scan.Excessive()) return std::nullopt;
  return scan.shape();
}

std::string Excess(const ParsedShape& shape) {
  if (shape.fields > kParsedFieldsMax) {
    return "the request has more than " + std::to_string(kParsedFieldsMax) + " fields, elements of lists among them";
  }
  if (shape.bytes > kParsedBytesMax) {
    return "the request would take more than " + std::to_string(kParsedBytesMax >> 20) +
           " MiB of memory once it is read";
  }
  return {};
}

}  // namespace baton::wire
