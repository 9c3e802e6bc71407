// The directory that --tls names: ca.pem (whom we believe), cert.pem (who we are, and the chain up), key.pem. It is read through one
// descriptor and replaced as one, so that who reads it gets all of the old or all of the new.
#pragma once

#include <map>
#include <string>

#include "orchestrator/base/result.h"

namespace baton::tls {

inline constexpr char kRootsFile[] = "ca.pem";
inline constexpr char kChainFile[] = "cert.pem";
inline constexpr char kKeyFile[] = "key.pem";
inline constexpr char kAuthorityKeyFile[] = "ca-key.pem";  // beside ca.pem, in an authority's own directory

// Where each of the three is.
struct Places {
  std::string roots;
  std::string chain;
  std::string key;

  bool operator==(const Places&) const = default;
};
Places PlacesIn(const std::string& dir);

struct Files {
  Places at;  // for messages about them
  std::string roots;
  std::string chain;
  std::string key;

  bool operator==(const Files&) const = default;
};

// FAILED_PRECONDITION with the file, what is wrong and what to do.
Result<Files> ReadFiles(const std::string& dir);
// The same of files that are not in one directory: they may be replaced one after the other, so who renews them and who reads them
// may meet a pair that does not fit; it is looked at again.
Result<Files> ReadFiles(const Places& places);
// One public file, of at most 1 MiB.
Result<std::string> ReadPublicFile(const std::string& path);
Result<std::string> ReadKeyFile(const std::string& path);

// Makes `dir` (0700) of these files (0600), or puts it in the place of the one that is there, at once, by an exchange of names:
// only one that has nothing but such files is replaced.
Status WriteDirectory(const std::string& dir, const std::map<std::string, std::string>& files);

}  // namespace baton::tls
