// Checksums of files, under the names that Diego's download actions use.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "orchestrator/base/result.h"

namespace baton::shim {

// Fed piece by piece.
class Checksum {
 public:
  // md5, sha1 or sha256.
  static Result<Checksum> Of(const std::string& algorithm);

  void Add(std::string_view bytes);
  // Lower-case hex digits; once.
  std::string Hex();

 private:
  struct Context;
  explicit Checksum(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  std::shared_ptr<Context> context_;
};

// Of a whole file.
Result<std::string> ChecksumOfFile(const std::string& path, const std::string& algorithm);

}  // namespace baton::shim
