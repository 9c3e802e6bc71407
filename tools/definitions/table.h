// Text in columns, page by page: columns only ever grow, so that what is printed never has to wait for what follows.
#pragma once

#include <string>
#include <vector>

namespace baton {

class TextTable {
 public:
  std::string Lines(const std::vector<std::vector<std::string>>& rows);

 private:
  std::vector<std::size_t> widths_;
};

}  // namespace baton
