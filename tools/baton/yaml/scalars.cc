#include "tools/baton/yaml/scalars.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "tools/baton/yaml/amounts.h"

namespace baton::cli {
namespace {

using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

template <class Number>
std::string RangeWords() {
  return "a whole number from " + std::to_string(std::numeric_limits<Number>::min()) + " to " +
         std::to_string(std::numeric_limits<Number>::max());
}

template <class Number>
Number Whole(const YamlCursor& at) {
  const std::string text = at.Text(RangeWords<Number>());
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    at.Fail("expected " + RangeWords<Number>() + ", found '" + text + "'");
  }
  return number;
}

std::int64_t Converted(const YamlCursor& at, Reading reading) {
  const bool size = reading == Reading::kMebibytes;
  const std::string expected = size ? "a size as 256MiB or 2GiB" : "a duration as 10s, 500ms or 1m30s";
  const std::string text = at.Text(expected);
  const auto value = size ? ParseMebibytes(text) : ParseMilliseconds(text);
  if (!value) at.Fail("expected " + expected + ", found '" + text + "'");
  return *value;
}

// Sizes and durations fit their field or are refused here, not wrapped.
template <class Number>
Number NumberAt(const YamlCursor& at, Reading reading) {
  if (reading == Reading::kPlain) return Whole<Number>(at);
  const std::int64_t value = Converted(at, reading);
  if (!std::in_range<Number>(value)) at.Fail("is too great");
  return static_cast<Number>(value);
}

bool Truth(const YamlCursor& at) {
  const std::string text = at.Text("true or false");
  if (text != "true" && text != "false") at.Fail("expected true or false, found '" + text + "'");
  return text == "true";
}

std::string Upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// By its name, or by its number, as exports have those that this version does not know. 0 stands for "not said" in all enums
// of the API but one, and is left out of what is offered.
int Choice(const YamlCursor& at, const EnumDescriptor& type) {
  std::string offered;
  for (int i = 0; i < type.value_count(); ++i) {
    if (type.value(i)->number() != 0) offered += (offered.empty() ? "" : ", ") + type.value(i)->name();
  }
  const std::string text = at.Text("one of " + offered);
  for (int i = 0; i < type.value_count(); ++i) {
    if (Upper(type.value(i)->name()) == Upper(text)) return type.value(i)->number();
  }
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  at.Fail("expected one of " + offered + ", found '" + text + "'");
}

}  // namespace

void SetScalar(const YamlCursor& at, const FieldDescriptor& field, Reading reading, Message& message) {
  const auto* reflection = message.GetReflection();
  const bool many = field.is_repeated();
  const auto put = [&](auto set, auto add, const auto& value) {
    many ? (reflection->*add)(&message, &field, value) : (reflection->*set)(&message, &field, value);
  };
  using R = google::protobuf::Reflection;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: return put(&R::SetInt32, &R::AddInt32, NumberAt<std::int32_t>(at, reading));
    case FieldDescriptor::CPPTYPE_INT64: return put(&R::SetInt64, &R::AddInt64, NumberAt<std::int64_t>(at, reading));
    case FieldDescriptor::CPPTYPE_UINT32:
      return put(&R::SetUInt32, &R::AddUInt32, NumberAt<std::uint32_t>(at, reading));
    case FieldDescriptor::CPPTYPE_UINT64:
      return put(&R::SetUInt64, &R::AddUInt64, NumberAt<std::uint64_t>(at, reading));
    case FieldDescriptor::CPPTYPE_BOOL: return put(&R::SetBool, &R::AddBool, Truth(at));
    case FieldDescriptor::CPPTYPE_ENUM: return put(&R::SetEnumValue, &R::AddEnumValue, Choice(at, *field.enum_type()));
    case FieldDescriptor::CPPTYPE_STRING: return put(&R::SetString, &R::AddString, at.Text("a text"));
    default: at.Fail("cannot be given in an app file");
  }
}

}  // namespace baton::cli
