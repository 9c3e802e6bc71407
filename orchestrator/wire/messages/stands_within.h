// What stands somewhere within messages of a kind, by protobuf's descriptors.
#pragma once

#include <google/protobuf/descriptor.h>

#include <set>

namespace baton::wire {

// Whether messages of this kind have a field, in any depth, of which `is_one(field)` says yes.
template <class IsOne>
bool StandsWithin(const google::protobuf::Descriptor& kind, IsOne is_one) {
  std::set<const google::protobuf::Descriptor*> looked_at;
  const auto look = [&](const auto& again, const google::protobuf::Descriptor& one) -> bool {
    if (!looked_at.insert(&one).second) return false;
    for (int i = 0; i < one.field_count(); ++i) {
      const google::protobuf::FieldDescriptor& field = *one.field(i);
      if (is_one(field) || (field.message_type() && again(again, *field.message_type()))) return true;
    }
    return false;
  };
  return look(look, kind);
}

}  // namespace baton::wire
