// The page itself: what CMake has bundled into the program.
#pragma once

#include <map>
#include <string>

#include "tools/http/message.h"

namespace baton::web {

class Assets {
 public:
  // Names them by their content and compresses them once.
  Assets();

  // "/assets/NAME" is an asset; "/" and every path without a dot in its last part is the page, whose script reads the
  // path.
  http::Response Get(const http::Request& request) const;
  // Of the script and the styles together, compressed.
  std::size_t bytes() const;

 private:
  struct Asset {
    std::string content_type;
    std::string text;
    std::string gzip;
  };
  static http::Response Answer(const Asset& asset, const http::Request& request);

  std::map<std::string, Asset> assets_;  // by name
  Asset page_;
};

}  // namespace baton::web
