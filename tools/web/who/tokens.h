// Tokens that people log in with: a file of lines "NAME ROLE SHA256", re-read when it changes. The tokens themselves
// are kept nowhere; they have 256 random bits, so a plain hash does.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "tools/web/who/person.h"

namespace baton::web {

class Tokens {
 public:
  explicit Tokens(std::string file) : file_(std::move(file)) {}

  // INVALID_ARGUMENT with file and line; FAILED_PRECONDITION where others may read the file.
  Status Read();
  // Nothing: none of that token. A file that changed is read first; one that cannot be used leaves what was there.
  std::optional<Person> Find(const std::string& token);

 private:
  std::string file_;
  std::filesystem::file_time_type read_at_{};
  std::map<std::string, Person> by_hash_;  // SHA-256 in hex
};

// A new one, 64 hex digits, and the line for the file.
struct NewToken {
  std::string token;
  std::string line;
};
NewToken MakeToken(const Person& person);

}  // namespace baton::web
