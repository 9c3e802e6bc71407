#include "orchestrator/wire/limits/text_kinds.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>

#include "orchestrator/wire/limits/text.h"

namespace baton::wire {
namespace {

// As the network has it; IPv4 within IPv6, so that two can be compared.
struct Address {
  bool v4 = false;
  std::array<unsigned char, 16> bytes{};
};

std::optional<Address> AddressOf(std::string_view text) {
  const std::string whole(text);
  Address address;
  if (inet_pton(AF_INET, whole.c_str(), address.bytes.data()) == 1) {
    address.v4 = true;
    return address;
  }
  if (inet_pton(AF_INET6, whole.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

bool IsPrefix(std::string_view text, int most) {
  int length = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  return error == std::errc() && end == text.data() + text.size() && length >= 0 && length <= most;
}

bool IsDestination(std::string_view text) {
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto first = AddressOf(text.substr(0, dash));
    const auto last = AddressOf(text.substr(dash + 1));
    return first && last && first->v4 == last->v4 && first->bytes <= last->bytes;
  }
  const std::size_t slash = text.find('/');
  const auto address = AddressOf(text.substr(0, slash));
  return address && (slash == std::string_view::npos || IsPrefix(text.substr(slash + 1), address->v4 ? 32 : 128));
}

// Each part between commas.
template <class Fit>
bool AllParts(std::string_view text, char between, Fit fit) {
  for (;;) {
    const std::size_t end = text.find(between);
    if (!fit(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool IsPrintable(char c) { return c >= 0x20 && c <= 0x7E; }

bool HasHost(std::string_view url) {
  const std::size_t colon = url.find("://");
  if (colon == std::string_view::npos) return false;
  std::string_view host = url.substr(colon + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  return !host.empty() && host.front() != ':' &&
         std::ranges::none_of(url, [](char c) { return c == ' ' || IsControl(c); });
}

bool IsPathBelow(std::string_view path) {
  path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
  return !path.empty() && path.substr(path.rfind('/') + 1) != "." && !path.ends_with('/') &&
         AllParts(path, '/', [](std::string_view part) { return part != ".."; });
}

}  // namespace

bool Fits(std::string_view text, v1::Limits::Kind kind) {
  switch (kind) {
    case v1::Limits::NAME: return CheckName("", text).ok();
    case v1::Limits::LINE: return std::ranges::none_of(text, IsControl);
    case v1::Limits::PRINTABLE: return std::ranges::all_of(text, IsPrintable);
    case v1::Limits::URL: return text.find(':') != std::string_view::npos && text.front() != ':';
    case v1::Limits::HTTP_URL: return (text.starts_with("http://") || text.starts_with("https://")) && HasHost(text);
    case v1::Limits::ABSOLUTE_PATH: return text.starts_with('/');
    case v1::Limits::PATH_BELOW: return IsPathBelow(text);
    case v1::Limits::VARIABLE: return text.find('=') == std::string_view::npos;
    case v1::Limits::DESTINATION: return AllParts(text, ',', IsDestination);
    default: return true;
  }
}

std::string_view Words(v1::Limits::Kind kind) {
  switch (kind) {
    case v1::Limits::NAME: return "1 to 255 of [A-Za-z0-9._:-]";
    case v1::Limits::LINE: return "no control characters";
    case v1::Limits::PRINTABLE: return "only printable ASCII";
    case v1::Limits::URL: return "a URL with a scheme, as 'preloaded:cflinuxfs4'";
    case v1::Limits::HTTP_URL: return "http:// or https:// and a host";
    case v1::Limits::ABSOLUTE_PATH: return "a path that begins with '/'";
    case v1::Limits::PATH_BELOW: return "the path of a file below the cell's folder for it, without '..'";
    case v1::Limits::VARIABLE: return "a name without '='";
    case v1::Limits::DESTINATION:
      return "addresses, ranges (1.2.3.4-2.3.4.5) and subnets (1.2.3.0/24), with ',' between them";
    case v1::Limits::REPORTED: return "anything; what cannot be stored is replaced by '?'";
    default: return "";
  }
}

}  // namespace baton::wire
