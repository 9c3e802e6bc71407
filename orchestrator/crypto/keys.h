// The keys of encryption at rest, as their file names them: labels, and which of them is active. The file is the only
// way in: a key given by a command line or an environment shows in the process list or in a crash report.
//
//   # made by: openssl rand -base64 32
//   key        k2026  ko1MPZ5Yb7mE5cO6Iq2aX5cX3mVb7nV0o0m0Yk0d1mA=
//   passphrase k2025  eight words or more, everything up to the end of the line
//   active     k2026
//
// `active none` writes in the clear: the way back. Keys that are not active only open what is there. A line `sealed
// only` rejects values in the clear, so that a database user cannot replace a sealed blob by a value of his choice. It
// is set here and not in the database, where the database's owner could remove it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/crypto/crypto.h"

namespace baton {

// [A-Za-z0-9]{1,127}, case-sensitive.
bool IsKeyLabel(std::string_view label);

class KeyRing {
 public:
  // FAILED_PRECONDITION with the line and what is wrong with it; a secret is never in it.
  static Result<std::shared_ptr<const KeyRing>> Parse(std::string_view text);
  // The same, from a regular file that is owned by this user or root and that others may not read.
  static Result<std::shared_ptr<const KeyRing>> Load(const std::string& path);

  // What new blobs are sealed with; empty: they are plain.
  const std::string& active() const { return active_; }
  bool sealed_only() const { return sealed_only_; }
  std::vector<std::string> labels() const;
  bool Has(std::string_view label) const { return keys_.contains(label); }
  // The label's own key for the blobs of one table; nothing where there is no such label.
  std::optional<crypto::Secret> TableKey(std::string_view label, std::string_view table) const;

 private:
  struct Key {
    crypto::Secret secret;
    std::map<std::string, crypto::Secret, std::less<>> tables;  // of the tables that have encrypted columns
  };
  Status Add(const std::string& label, const crypto::Secret& secret);

  std::map<std::string, Key, std::less<>> keys_;
  std::string active_;
  bool active_said_ = false;
  bool sealed_only_ = false;
};

}  // namespace baton
