// A program that has something of everything that the compiler guards: a buffer on the stack, a copy of a length that is not
// known before, and functions that are called through a pointer.
#include <cstdio>
#include <cstring>

namespace {

std::size_t Copied(const char* from, std::size_t length) {
  char buffer[64];
  std::memcpy(buffer, from, length);
  std::puts(buffer);
  return std::strlen(buffer);
}

std::size_t Doubled(const char* from, std::size_t length) { return Copied(from, length) + Copied(from, 2 * length); }
std::size_t Length(const char* from, std::size_t) { return std::strlen(from); }
std::size_t Told(const char*, std::size_t length) { return length; }

}  // namespace

int main(int count, char** arguments) {
  std::size_t (*volatile called[])(const char*, std::size_t) = {Copied, Doubled, Length, Told};
  std::size_t sum = 0;
  for (const auto call : called) sum += call(arguments[0], static_cast<std::size_t>(count));
  return sum == 0 ? 1 : 0;
}
