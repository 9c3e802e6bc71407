#include "orchestrator/transform/messages/mapping.h"

#include <cctype>
#include <utility>

#include "orchestrator/base/check.h"

namespace baton::transform {
namespace {

using google::protobuf::Reflection;

std::string Plain(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

bool SameType(const FieldDescriptor& a, const FieldDescriptor& b) {
  if (a.type() != b.type() || a.is_repeated() != b.is_repeated() || a.is_map() != b.is_map()) return false;
  if (a.is_map()) {
    return SameType(*a.message_type()->map_key(), *b.message_type()->map_key()) &&
           SameType(*a.message_type()->map_value(), *b.message_type()->map_value());
  }
  if (a.type() == FieldDescriptor::TYPE_MESSAGE) return a.message_type() == b.message_type();
  if (a.type() == FieldDescriptor::TYPE_ENUM) return a.enum_type() == b.enum_type();
  return true;
}

const FieldDescriptor* Counterpart(const FieldDescriptor& field, const Descriptor& other) {
  const std::string name = Plain(field.name());
  for (int i = 0; i < other.field_count(); ++i) {
    if (Plain(other.field(i)->name()) == name && SameType(field, *other.field(i))) return other.field(i);
  }
  return nullptr;
}

void CopyField(const Message& from, const FieldDescriptor& source, Message& to, const FieldDescriptor& target);

void CopyMap(const Message& from, const FieldDescriptor& source, Message& to, const FieldDescriptor& target) {
  const Reflection& reading = *from.GetReflection();
  const Reflection& writing = *to.GetReflection();
  const Descriptor& had = *source.message_type();
  const Descriptor& made = *target.message_type();
  for (int i = 0; i < reading.FieldSize(from, &source); ++i) {
    const Message& entry = reading.GetRepeatedMessage(from, &source, i);
    Message& copy = *writing.AddMessage(&to, &target);
    CopyField(entry, *had.map_key(), copy, *made.map_key());
    CopyField(entry, *had.map_value(), copy, *made.map_value());
  }
}

void CopyElements(const Message& from, const FieldDescriptor& source, Message& to, const FieldDescriptor& target) {
  const Reflection& reading = *from.GetReflection();
  const Reflection& writing = *to.GetReflection();
  for (int i = 0; i < reading.FieldSize(from, &source); ++i) {
    switch (source.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        writing.AddMessage(&to, &target)->CopyFrom(reading.GetRepeatedMessage(from, &source, i));
        break;
      case FieldDescriptor::CPPTYPE_STRING:
        writing.AddString(&to, &target, reading.GetRepeatedString(from, &source, i));
        break;
      case FieldDescriptor::CPPTYPE_UINT32:
        writing.AddUInt32(&to, &target, reading.GetRepeatedUInt32(from, &source, i));
        break;
      default: CHECK(false);  // the messages have no others
    }
  }
}

void CopyField(const Message& from, const FieldDescriptor& source, Message& to, const FieldDescriptor& target) {
  const Reflection& reading = *from.GetReflection();
  const Reflection& writing = *to.GetReflection();
  switch (source.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return writing.MutableMessage(&to, &target)->CopyFrom(reading.GetMessage(from, &source));
    case FieldDescriptor::CPPTYPE_STRING: return writing.SetString(&to, &target, reading.GetString(from, &source));
    case FieldDescriptor::CPPTYPE_BOOL: return writing.SetBool(&to, &target, reading.GetBool(from, &source));
    case FieldDescriptor::CPPTYPE_INT32: return writing.SetInt32(&to, &target, reading.GetInt32(from, &source));
    case FieldDescriptor::CPPTYPE_INT64: return writing.SetInt64(&to, &target, reading.GetInt64(from, &source));
    case FieldDescriptor::CPPTYPE_UINT32: return writing.SetUInt32(&to, &target, reading.GetUInt32(from, &source));
    case FieldDescriptor::CPPTYPE_UINT64: return writing.SetUInt64(&to, &target, reading.GetUInt64(from, &source));
    case FieldDescriptor::CPPTYPE_FLOAT: return writing.SetFloat(&to, &target, reading.GetFloat(from, &source));
    case FieldDescriptor::CPPTYPE_DOUBLE: return writing.SetDouble(&to, &target, reading.GetDouble(from, &source));
    case FieldDescriptor::CPPTYPE_ENUM:
      return writing.SetEnumValue(&to, &target, reading.GetEnumValue(from, &source));
  }
}

void CopyIfSet(const Message& from, const FieldDescriptor& source, Message& to, const FieldDescriptor& target) {
  if (source.is_repeated()) {
    to.GetReflection()->ClearField(&to, &target);
    return source.is_map() ? CopyMap(from, source, to, target) : CopyElements(from, source, to, target);
  }
  if (from.GetReflection()->HasField(from, &source)) CopyField(from, source, to, target);
}

// Without copying what the messages hold. Maps are copied: the entries of two messages are of two types.
void MoveIfSet(Message& from, const FieldDescriptor& source, Message& to, const FieldDescriptor& target) {
  const Reflection& reading = *from.GetReflection();
  const Reflection& writing = *to.GetReflection();
  const bool moves = source.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !source.is_map();
  if (!moves) return CopyIfSet(from, source, to, target);
  if (!source.is_repeated()) {
    if (reading.HasField(from, &source)) writing.SetAllocatedMessage(&to, reading.ReleaseMessage(&from, &source), &target);
    return;
  }
  writing.ClearField(&to, &target);
  std::vector<Message*> elements;
  for (int left = reading.FieldSize(from, &source); left > 0; --left) elements.push_back(reading.ReleaseLast(&from, &source));
  for (auto at = elements.rbegin(); at != elements.rend(); ++at) writing.AddAllocatedMessage(&to, &target, *at);
}

}  // namespace

Mapping::Mapping(const Descriptor* flat, std::vector<const Descriptor*> homes, std::set<std::string> by_hand)
    : flat_(flat), by_hand_(std::move(by_hand)) {
  for (int i = 0; i < flat->field_count(); ++i) {
    const FieldDescriptor* field = flat->field(i);
    if (by_hand_.contains(field->name())) continue;
    for (std::size_t home = 0; home < homes.size(); ++home) {
      const FieldDescriptor* found = Counterpart(*field, *homes[home]);
      if (!found) continue;
      pairs_.push_back({field, home, found});
      break;
    }
  }
}

void Mapping::Spread(const Message& flat, const std::vector<Message*>& homes) const {
  for (const Pair& pair : pairs_) CopyIfSet(flat, *pair.flat, *homes[pair.home], *pair.field);
}

void Mapping::Gather(const std::vector<Message*>& homes, Message& flat) const {
  for (const Pair& pair : pairs_) MoveIfSet(*homes[pair.home], *pair.field, flat, *pair.flat);
}

std::vector<std::string> Mapping::Homeless() const {
  std::set<std::string> known = by_hand_;
  for (const Pair& pair : pairs_) known.insert(pair.flat->name());
  std::vector<std::string> homeless;
  for (int i = 0; i < flat_->field_count(); ++i) {
    if (!known.contains(flat_->field(i)->name())) homeless.push_back(flat_->field(i)->full_name());
  }
  return homeless;
}

std::vector<std::string> Mapping::Misnamed() const {
  std::vector<std::string> misnamed;
  for (const std::string& name : by_hand_) {
    if (!flat_->FindFieldByName(name)) misnamed.push_back(flat_->full_name() + "." + name);
  }
  return misnamed;
}

}  // namespace baton::transform
