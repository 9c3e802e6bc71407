#include "tools/command_line/terminal_filter.h"

#include <utility>

namespace baton {
namespace {

constexpr unsigned char kEsc = 0x1b;
constexpr unsigned char kBell = 0x07;

bool IsContinuation(unsigned char c) { return c >= 0x80 && c <= 0xbf; }
bool IsControl(unsigned char c) { return c < 0x20 || (c >= 0x7f && c <= 0x9f); }
// OSC, DCS, SOS, PM, APC: a text follows, up to its end.
bool BeginsString(unsigned char c) { return c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_'; }

}  // namespace

std::string TerminalFilter::Pass(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (const char c : bytes) Take(static_cast<unsigned char>(c), out);
  return out;
}

void TerminalFilter::Take(unsigned char c, std::string& out) {
  // A line ends whatever was left open: else one byte would hide all that follows.
  if (within_ == Within::kText || c == '\n') {
    within_ = Within::kText;
    return TakeText(c, out);
  }
  if (c == kEsc) {
    within_ = Within::kEscape;
  } else if (within_ == Within::kEscape) {
    if (c == '[') within_ = Within::kControl;
    else if (BeginsString(c)) within_ = Within::kString;
    else if (c < 0x20 || c > 0x2f) within_ = Within::kText;  // but for an intermediate it was the last one
  } else if (within_ == Within::kControl) {
    if (c >= 0x40 && c <= 0x7e) within_ = Within::kText;
  } else if (c == kBell) {
    within_ = Within::kText;
  }
}

void TerminalFilter::TakeText(unsigned char c, std::string& out) {
  const bool after_c2 = std::exchange(held_c2_, false);
  if (after_c2 && c >= 0x80 && c <= 0x9f) {
    out += '?';
    return;
  }
  if (after_c2) out += '\xc2';
  const bool continues = (after_c2 || continuing_ > 0) && IsContinuation(c);
  continuing_ = continues && continuing_ > 0 ? continuing_ - 1 : 0;
  if (continues) {
    out += static_cast<char>(c);
  } else if (c == kEsc) {
    within_ = Within::kEscape;
  } else if (c == 0xc2) {
    held_c2_ = true;
  } else if (c == '\r') {
    // Goes back to the beginning of the line, over what is there.
  } else if (IsControl(c) && c != '\n' && c != '\t') {
    out += '?';
  } else {
    continuing_ = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    out += static_cast<char>(c);
  }
}

}  // namespace baton
