// A file of keys for a batond of a test.
#pragma once

#include <sys/stat.h>

#include <fstream>
#include <string>

namespace baton {

// Lines of a file of keys. Not of a passphrase: to make a key of one takes a tenth of a second of CPU, on purpose, for
// each label at each start.
inline std::string KeyLine(char label) { return std::string("key ") + label + " " + std::string(42, label) + "A=\n"; }

inline void WriteKeyFile(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  chmod(path.c_str(), 0600);
}
// With one key, a.
inline void WriteKeyFile(const std::string& path) { WriteKeyFile(path, "active a\n" + KeyLine('a')); }

}  // namespace baton
