#include "tests/orchestrator/transform/random_message.h"

#include <string>

namespace baton {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

class Filler {
 public:
  explicit Filler(std::mt19937_64& random) : random_(random) {}

  void Fill(Message& message, int depth) {
    const auto* descriptor = message.GetDescriptor();
    for (int i = 0; i < descriptor->field_count(); ++i) {
      const FieldDescriptor* field = descriptor->field(i);
      const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
      if (Below(3) == 0 || (is_message && depth == 0)) continue;
      if (field->is_map()) {
        AddEntry(message, *field, depth);
      } else if (field->is_repeated()) {
        for (int n = Below(3); n > 0; --n) Add(message, *field, depth);
      } else {
        Set(message, *field, depth);
      }
    }
  }

 private:
  int Below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  std::string Word() { return "w" + std::to_string(Below(1000)); }

  void AddEntry(Message& message, const FieldDescriptor& field, int depth) {
    Message& entry = *message.GetReflection()->AddMessage(&message, &field);
    Set(entry, *field.message_type()->map_key(), depth);
    Set(entry, *field.message_type()->map_value(), depth);
  }

  void Add(Message& message, const FieldDescriptor& field, int depth) {
    const Reflection& reflection = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE: return Fill(*reflection.AddMessage(&message, &field), depth - 1);
      case FieldDescriptor::CPPTYPE_STRING: return reflection.AddString(&message, &field, Word());
      case FieldDescriptor::CPPTYPE_UINT32: return reflection.AddUInt32(&message, &field, 1 + Below(65535));
      default: return;
    }
  }

  void Set(Message& message, const FieldDescriptor& field, int depth) {
    const Reflection& reflection = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE: return Fill(*reflection.MutableMessage(&message, &field), depth - 1);
      case FieldDescriptor::CPPTYPE_STRING: return reflection.SetString(&message, &field, Word());
      case FieldDescriptor::CPPTYPE_BOOL: return reflection.SetBool(&message, &field, Below(2) == 1);
      case FieldDescriptor::CPPTYPE_INT32: return reflection.SetInt32(&message, &field, Below(1000));
      case FieldDescriptor::CPPTYPE_INT64: return reflection.SetInt64(&message, &field, Below(1000));
      case FieldDescriptor::CPPTYPE_UINT32: return reflection.SetUInt32(&message, &field, Below(1000));
      case FieldDescriptor::CPPTYPE_UINT64: return reflection.SetUInt64(&message, &field, Below(1000));
      case FieldDescriptor::CPPTYPE_ENUM: {
        const auto& type = *field.enum_type();
        return reflection.SetEnum(&message, &field, type.value(Below(type.value_count())));
      }
      default: return;
    }
  }

  std::mt19937_64& random_;
};

}  // namespace

void Fill(Message& message, std::mt19937_64& random, int depth) { Filler(random).Fill(message, depth); }

}  // namespace baton
