// Contexts: named ways to a batond, each with the addresses and with who one is there. `baton context` keeps them in one YAML file.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton {

struct Context {
  std::string name;                 // 1 to 64 of a-z A-Z 0-9 . _ -
  std::vector<std::string> batond;  // HOST:PORT, one at least
  std::string trust_domain;         // batond's and one's own; empty: whatever the certificate says
  std::string tls;                  // directory with ca.pem, cert.pem and key.pem
  std::string ca, cert, key;        // or three files; none of all these: without TLS

  bool HasFiles() const { return !ca.empty(); }
  bool operator==(const Context&) const = default;
};

struct Contexts {
  std::string current;  // empty: none
  std::vector<Context> all;

  bool operator==(const Contexts&) const = default;
};

// INVALID_ARGUMENT as "FILE:LINE: sentence" for what is no such file: an unknown key, a name twice, half of TLS.
Result<Contexts> ReadContexts(const std::string& file, const std::string& text);
// What ReadContexts reads.
std::string TextOf(const Contexts& contexts);

const Context* Find(const Contexts& contexts, const std::string& name);
// The one of that name, or the current one for "". NOT_FOUND with those that there are. Null: none is current.
Result<const Context*> Chosen(const Contexts& contexts, const std::string& name);

// INVALID_ARGUMENT for a context that could not be read again, ALREADY_EXISTS for a name that is taken. The first one is current.
Status Add(Contexts& contexts, Context context);
// NOT_FOUND. What was current is no more.
Status Remove(Contexts& contexts, const std::string& name);
Status Use(Contexts& contexts, const std::string& name);

}  // namespace baton
