#include "orchestrator/model/calls/allowed_hosts.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <span>

namespace baton {
namespace {

constexpr int kMappedBits = 96;  // ::ffff:0:0/96

Error Odd(const std::string& entry) {
  return {ErrorKind::kInvalidArgument,
          "\"" + entry + "\" is none of HOST, HOST:PORT, [IPV6]:PORT and NETWORK/BITS, for example judge.example:8443 or "
          "10.0.0.0/8",
          {}};
}

std::optional<int> NumberIn(std::string_view text, int least, int most) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= least && number <= most ? std::optional<int>(number) : std::nullopt;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.ends_with('.')) lower.pop_back();  // the root's: the same name
  return lower;
}

bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= 253 && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_';
  });
}

bool Covers(const IpAddress& network, int bits, const IpAddress& address) {
  for (int bit = 0; bit < bits; ++bit) {
    const auto byte = static_cast<std::size_t>(bit / 8);
    if (((network.bytes[byte] ^ address.bytes[byte]) >> (7 - bit % 8) & 1) != 0) return false;
  }
  return true;
}

// IANA's registries of special-purpose addresses (RFC 6890), multicast, and ways to write IPv4 in IPv6.
struct Kept {
  const char* network;
  int bits;
};
constexpr Kept kKept[] = {{"0.0.0.0", 8},      {"10.0.0.0", 8},     {"100.64.0.0", 10}, {"127.0.0.0", 8},  {"169.254.0.0", 16},
                          {"172.16.0.0", 12},  {"192.0.0.0", 24},   {"192.168.0.0", 16}, {"198.18.0.0", 15}, {"224.0.0.0", 3},
                          {"::", 96},          {"64:ff9b::", 32},   {"2001::", 23},     {"2002::", 16},    {"fc00::", 7},
                          {"fe80::", 9},       {"ff00::", 8}};

constexpr Kept kOfNoMachine[] = {{"0.0.0.0", 8}, {"169.254.0.0", 16}, {"224.0.0.0", 3}, {"::", 128}, {"fe80::", 10}, {"ff00::", 8}};

// Where clouds answer their machines outside of link-local: Amazon's and Google's of IPv6, Azure's, Oracle's, Alibaba's.
constexpr Kept kOfClouds[] = {{"fd00:ec2::254", 128}, {"fd20:ce::254", 128}, {"168.63.129.16", 32}, {"192.0.0.192", 32}, {"100.100.100.200", 32}};

bool IsWithinAny(std::span<const Kept> networks, const IpAddress& address) {
  return std::ranges::any_of(networks, [&address](const Kept& kept) {
    const bool is_v4 = std::strchr(kept.network, ':') == nullptr;
    return Covers(*IpAddress::From(kept.network), kept.bits + (is_v4 ? kMappedBits : 0), address);
  });
}

}  // namespace

std::optional<IpAddress> IpAddress::From(std::string_view text) {
  const std::string whole(text);
  IpAddress address;
  if (inet_pton(AF_INET, whole.c_str(), address.bytes.data() + 12) == 1) {
    address.bytes[10] = address.bytes[11] = 0xFF;
    return address;
  }
  if (inet_pton(AF_INET6, whole.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

std::optional<IpNetwork> IpNetwork::From(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto network = IpAddress::From(text.substr(0, slash));
  const bool is_v4 = text.find(':') == text.npos;
  const auto bits = slash == text.size() ? std::nullopt : NumberIn(text.substr(slash + 1), 0, is_v4 ? 32 : 128);
  if (!network || !bits) return std::nullopt;
  return IpNetwork{*network, *bits + (is_v4 ? kMappedBits : 0)};
}

bool IpNetwork::Has(const IpAddress& one) const { return Covers(address, bits, one); }

bool IpAddress::IsLoopback() const {
  return Covers(*From("127.0.0.0"), 8 + kMappedBits, *this) || *this == *From("::1");
}
bool IpAddress::IsPublic() const { return !IsWithinAny(kKept, *this); }
bool IpAddress::IsOfAMachine() const { return !IsWithinAny(kOfNoMachine, *this) && !IsWithinAny(kOfClouds, *this); }

Result<AllowedHosts> AllowedHosts::From(const std::vector<std::string>& entries) {
  AllowedHosts all;
  for (const std::string& entry : entries) {
    const std::string_view text = entry;
    if (text.find('/') != text.npos) {
      const auto network = IpNetwork::From(text);
      if (!network) return Odd(entry);
      all.networks_.push_back(*network);
      continue;
    }
    Host host;
    std::string_view rest;
    if (text.starts_with('[')) {
      const std::size_t end = text.find(']');
      if (end == text.npos || !IpAddress::From(text.substr(1, end - 1))) return Odd(entry);
      host.name = Lower(text.substr(1, end - 1));
      rest = text.substr(end + 1);
    } else {
      host.name = Lower(text.substr(0, text.find(':')));
      if (!IsName(host.name)) return Odd(entry);
      rest = text.substr(std::min(text.find(':'), text.size()));
    }
    if (!rest.empty()) {
      host.port = rest.starts_with(':') ? NumberIn(rest.substr(1), 1, 65'535) : std::nullopt;
      if (!host.port) return Odd(entry);
    }
    all.hosts_.push_back(std::move(host));
  }
  return all;
}

bool AllowedHosts::IsNamed(std::string_view host, int port) const {
  const std::string name = Lower(host);
  const auto address = IpAddress::From(name);  // which may be written in several ways
  return std::ranges::any_of(hosts_, [&](const Host& one) {
    const bool same = one.name == name || (address && IpAddress::From(one.name) == address);
    return same && one.port.value_or(port) == port;
  });
}

bool AllowedHosts::IsWithin(const IpAddress& address) const {
  return std::ranges::any_of(networks_,
                             [&](const IpNetwork& network) { return network.Has(address); });
}

bool AllowedHosts::MayAsk(std::string_view host, int port) const {
  if (IsNamed(host, port)) return true;
  const auto address = IpAddress::From(host);
  return address ? IsWithin(*address) : !networks_.empty();  // a name may lead into one of them
}

bool AllowedHosts::MayConnect(std::string_view host, int port, const IpAddress& address) const {
  if (IsWithin(address)) return true;
  return IsNamed(host, port) && (address.IsPublic() || IpAddress::From(host) == address);
}

}  // namespace baton
