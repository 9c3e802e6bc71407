// What a secret looks like among texts that most often hold none, and what is shown in its place. Which fields may hold
// one is an option of the .proto files (wire/secrets/sensitive.h).
#pragma once

#include <string>
#include <string_view>

namespace baton {

// What an answer carries in place of a secret that is not empty.
inline constexpr char kRedacted[] = "<redacted>";

// A URL with a user, a password or a query (a signature, a token) is one. A doubtful one is taken for a secret: cells guess a scheme
// where there is none.
inline bool IsSecretUrl(std::string_view url) {
  const std::size_t slashes = url.find("//");
  const std::string_view authority = url.substr(0, url.find('/', slashes == std::string_view::npos ? 0 : slashes + 2));
  return authority.find('@') != std::string_view::npos || url.find('?') != std::string_view::npos ||
         url.find('#') != std::string_view::npos;
}

// Of why an instance crashed: the cell's sentence. Below it stands what the app wrote last, which may be a password.
inline std::string CellsSentence(std::string_view reason) { return std::string(reason.substr(0, reason.find('\n'))); }
inline bool HasLastWords(std::string_view reason) { return reason.find('\n') != std::string_view::npos; }

}  // namespace baton
