#include "tools/router/routes/naming.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace baton::router {
namespace {

constexpr std::string_view kPoolPrefix = "be_";
constexpr std::size_t kPoolDigitsMin = 4;
constexpr std::string_view kTcpPrefix = "tcp_";
constexpr std::size_t kTcpDigits = 5;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsAlnum(char c) { return IsDigit(c) || IsLower(c) || IsUpper(c); }

bool Only(std::string_view text, std::size_t most, bool (*allowed)(char)) {
  return !text.empty() && text.size() <= most && std::all_of(text.begin(), text.end(), allowed);
}

}  // namespace

std::string PoolBackendName(std::size_t number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "be_%04zu", number);
  return text.data();
}

bool IsPoolBackend(std::string_view name) {
  if (!name.starts_with(kPoolPrefix)) return false;
  name.remove_prefix(kPoolPrefix.size());
  return name.size() >= kPoolDigitsMin && Only(name, 9, IsDigit);
}

std::string TcpBackendName(std::uint32_t port) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "tcp_%05u", static_cast<unsigned>(port));
  return text.data();
}

bool IsTcpBackend(std::string_view name) {
  if (!name.starts_with(kTcpPrefix)) return false;
  name.remove_prefix(kTcpPrefix.size());
  return name.size() == kTcpDigits && Only(name, kTcpDigits, IsDigit);
}

bool HasInstances(std::string_view backend) { return IsPoolBackend(backend) || IsTcpBackend(backend); }

bool IsHostName(std::string_view text) {
  return Only(text, 253, [](char c) { return IsDigit(c) || IsLower(c) || c == '-' || c == '_' || c == '.'; });
}

bool IsRoutePath(std::string_view text) {
  return text.starts_with('/') && !text.ends_with('/') && Only(text, 1024, [](char c) {
           return IsAlnum(c) || std::string_view("/._~!$&'()*+,=:@%-").find(c) != std::string_view::npos;
         });
}

bool IsServerName(std::string_view text) {
  return Only(text, 200, [](char c) { return IsAlnum(c) || c == '-' || c == '_' || c == '.' || c == ':'; });
}

bool IsPlainPath(std::string_view text) {
  return text.starts_with('/') && Only(text, 4096, [](char c) {
           return IsAlnum(c) || std::string_view("._/@+-").find(c) != std::string_view::npos;
         });
}

std::optional<std::string> CanonicalAddress(const std::string& address) {
  std::array<unsigned char, sizeof(in6_addr)> binary{};
  std::array<char, INET6_ADDRSTRLEN> text{};
  for (const int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, address.c_str(), binary.data()) != 1) continue;
    return inet_ntop(family, binary.data(), text.data(), text.size());
  }
  return std::nullopt;
}

}  // namespace baton::router
