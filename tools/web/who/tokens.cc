#include "tools/web/who/tokens.h"

#include <openssl/rand.h>

#include <sstream>

#include "orchestrator/base/check.h"
#include "orchestrator/base/secret_file.h"
#include "orchestrator/wire/stored/hash.h"

namespace baton::web {
namespace {

constexpr std::size_t kTokenBytes = 32;

std::string HexOf(const unsigned char* bytes, std::size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < count; ++i) {
    hex += kDigits[bytes[i] >> 4];
    hex += kDigits[bytes[i] & 15];
  }
  return hex;
}

bool IsSha256(const std::string& word) {
  return word.size() == 64 && word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Status Tokens::Read() {
  std::error_code ignored;
  read_at_ = std::filesystem::last_write_time(file_, ignored);
  const Result<std::string> text = ReadSecretFile({.path = file_, .called = "file of tokens"});
  if (!text) return text.error();
  std::map<std::string, Person> found;
  std::istringstream lines(*text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string name, role, hash, more;
    if (!(words >> name) || name.starts_with('#')) continue;
    const auto fault = [&](const std::string& what) {
      return InvalidArgument(file_ + ":" + std::to_string(number) + ": " + what);
    };
    if (!(words >> role >> hash) || words >> more) return fault("a line is NAME ROLE SHA256");
    if (!IsPersonName(name)) return fault("the name is not of [A-Za-z0-9._-], at most 64");
    const std::optional<Role> known = PageRole(role);
    if (!known) return fault("the role is none of viewer, operator, admin");
    if (!IsSha256(hash))
      return fault("the last word is no SHA-256 in hex; baton-web token NAME --role ROLE prints a line");
    if (!found.emplace(hash, Person{name, *known}).second) return fault("the same token stands above");
  }
  by_hash_ = std::move(found);
  return Done{};
}

std::optional<Person> Tokens::Find(const std::string& token) {
  std::error_code ignored;
  if (std::filesystem::last_write_time(file_, ignored) != read_at_) (void)Read().ok();
  const auto found = by_hash_.find(wire::Sha256Hex(token));
  return found == by_hash_.end() ? std::nullopt : std::optional(found->second);
}

NewToken MakeToken(const Person& person) {
  unsigned char bytes[kTokenBytes];
  CHECK(RAND_bytes(bytes, sizeof bytes) == 1);
  NewToken made{.token = HexOf(bytes, sizeof bytes)};
  made.line = person.name + ' ' + std::string(Name(person.role)) + ' ' + wire::Sha256Hex(made.token);
  return made;
}

}  // namespace baton::web
