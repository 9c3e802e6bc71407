// The passphrases of a Diego database, by key label.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "orchestrator/base/result.h"

namespace baton::adopt {

class SourceKeys {
 public:
  // A JSON object of label to passphrase; or one that has it as "encryption_keys", as the BBS's own configuration does.
  // INVALID_ARGUMENT with what is wrong, never with what is in it.
  static Result<SourceKeys> Parse(std::string_view text);
  // Refused as well if others than its owner may read the file.
  static Result<SourceKeys> Read(const std::string& path);

  // The key itself, 32 bytes: SHA-256 of the passphrase (Diego). Null: there is no such label.
  const std::string* Find(const std::string& label) const;
  std::string Labels() const;  // for people: "'a', 'b'"

 private:
  std::map<std::string, std::string> keys_;
};

}  // namespace baton::adopt
