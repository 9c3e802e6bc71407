// Which hosts batond may contact over HTTP: only names and networks that an operator gave (--verdict-allow). A name is
// its owner's to point wherever he likes: it leads to no address of the inside, unless that address is allowed as well.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton {

// As the network has it; IPv4 as IPv6 writes it (::ffff:1.2.3.4), so that nothing has two names.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};
  // "10.0.0.1", "fd00::1", "::ffff:10.0.0.1". Nothing: it is no number.
  static std::optional<IpAddress> From(std::string_view text);
  bool IsLoopback() const;
  // Reachable from anywhere: not loopback, private, link-local, multicast or otherwise kept for something.
  bool IsPublic() const;
  // One machine's, that others can reach: neither unspecified, multicast nor broadcast, and not link-local, where clouds tell
  // a machine's own credentials (169.254.169.254).
  bool IsOfAMachine() const;
  bool operator==(const IpAddress&) const = default;
};

// "10.0.0.0/8", "fd00::/8".
struct IpNetwork {
  IpAddress address;
  int bits = 0;  // of all 128
  // Nothing: it is none.
  static std::optional<IpNetwork> From(std::string_view text);
  bool Has(const IpAddress& address) const;
  bool operator==(const IpNetwork&) const = default;
};

class AllowedHosts {
 public:
  // Each of "judge.example", "judge.example:8443", "10.1.2.3", "[fd00::1]:8443", "10.0.0.0/8". INVALID_ARGUMENT.
  static Result<AllowedHosts> From(const std::vector<std::string>& entries);

  // Before its name is looked up. `host`: without brackets.
  bool MayAsk(std::string_view host, int port) const;
  // When it was, and led to this address.
  bool MayConnect(std::string_view host, int port, const IpAddress& address) const;

 private:
  struct Host {
    std::string name;
    std::optional<int> port;  // nothing: any
  };
  bool IsNamed(std::string_view host, int port) const;
  bool IsWithin(const IpAddress& address) const;

  std::vector<Host> hosts_;
  std::vector<IpNetwork> networks_;
};

}  // namespace baton
