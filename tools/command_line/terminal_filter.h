// Other people's bytes on an operator's terminal: an app's output may hold sequences that rename its window, paste into
// it, or hide what they follow. What is text passes; sequences are left out, other control characters become '?'.
#pragma once

#include <string>
#include <string_view>

namespace baton {

class TerminalFilter {
 public:
  // Output comes in pieces, and one may end within a sequence.
  std::string Pass(std::string_view bytes);

 private:
  enum class Within { kText, kEscape, kControl, kString };

  void Take(unsigned char c, std::string& out);
  void TakeText(unsigned char c, std::string& out);

  Within within_ = Within::kText;
  int continuing_ = 0;    // bytes that still belong to a character of UTF-8
  bool held_c2_ = false;  // with the next byte it may be a control character: U+0080 to U+009F
};

}  // namespace baton
