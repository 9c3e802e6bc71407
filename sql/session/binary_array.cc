#include "sql/session/binary_array.h"

#include <array>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

template <class Number>
void AddBigEndian(std::string& bytes, Number number) {
  std::array<char, sizeof number> digits;
  for (std::size_t i = digits.size(); i-- > 0; number = static_cast<Number>(number >> 8))
    digits[i] = static_cast<char>(number & 0xFF);
  bytes.append(digits.data(), digits.size());
}

constexpr std::uint32_t kNullLength = 0xFFFFFFFF;

}  // namespace

void BinaryArray::Begin(Type type) {
  CHECK(type_ == kNone || type_ == type);
  type_ = type;
  ++count_;
}

void BinaryArray::Add(Type type, std::string_view value) {
  Begin(type);
  AddBigEndian(elements_, static_cast<std::uint32_t>(value.size()));
  elements_ += value;
}

void BinaryArray::AddNull(Type type) {
  Begin(type);
  null_ = true;
  AddBigEndian(elements_, kNullLength);
}

void BinaryArray::Text(std::string_view value) {
  CHECK(value.find('\0') == std::string_view::npos);
  Add(kText, value);
}

void BinaryArray::Int(std::int64_t value) {
  Begin(kBigint);
  AddBigEndian(elements_, static_cast<std::uint32_t>(sizeof value));
  AddBigEndian(elements_, static_cast<std::uint64_t>(value));
}

std::string BinaryArray::str() const {
  std::string bytes;
  bytes.reserve(20 + elements_.size());
  AddBigEndian(bytes, std::uint32_t{1});  // dimensions
  AddBigEndian(bytes, std::uint32_t{null_});
  AddBigEndian(bytes, static_cast<std::uint32_t>(type_));
  AddBigEndian(bytes, count_);
  AddBigEndian(bytes, std::uint32_t{1});  // of the first element
  return bytes + elements_;
}

}  // namespace baton
