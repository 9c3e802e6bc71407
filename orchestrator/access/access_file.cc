// The access file's grammar.
#include <algorithm>
#include <sstream>

#include "orchestrator/access/access_rules.h"

namespace baton {
namespace {

using Words = std::vector<std::string>;

constexpr char kAnything[] = "*";
constexpr std::size_t kDomainBytesMax = 255;
constexpr std::size_t kHostBytesMax = 253;
constexpr std::size_t kNameBytesMax = 128;

constexpr char kController[] = "controller NAME domains D,... hostnames H,...";
constexpr char kCell[] = "cell NAME [networks NETWORK/BITS,...] [pulls]";
constexpr char kRouter[] = "router NAME";
constexpr char kWeb[] = "web NAME most ROLE";

Words WordsOf(const std::string& line) {
  std::istringstream in(line.substr(0, line.find('#')));
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// "a,b" as two. An empty entry is one that was forgotten, and not nothing.
Result<std::vector<std::string>> Entries(const std::string& word, const char* what) {
  std::vector<std::string> entries;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = std::min(word.find(',', begin), word.size());
    entries.push_back(word.substr(begin, comma - begin));
    if (entries.back().empty())
      return InvalidArgument(std::string(what) + " \"" + word + "\" has an empty entry: no spaces beside commas");
    if (comma == word.size()) return entries;
    begin = comma + 1;
  }
}

bool IsLowerName(std::string_view text, std::size_t most) {
  return !text.empty() && text.size() <= most && text.front() != '.' && text.back() != '.' &&
         std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
         });
}

bool IsHostPattern(const std::string& word) {
  if (word == kAnything || word == "tcp:*") return true;
  std::string_view name = word;
  if (name.starts_with("*.")) name.remove_prefix(2);
  return IsLowerName(name, kHostBytesMax);
}

// A domain is whatever its apps say; here without what means something in this file.
bool IsDomain(const std::string& word) {
  return word.size() <= kDomainBytesMax &&
         std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '*' && c != 0x7f; });
}

Status CheckName(const std::string& name) {
  if (name == kAnything || ParseIdentity("cell/" + name)) return Done{};
  return InvalidArgument("\"" + name.substr(0, kNameBytesMax) +
                         "\" is no name of a certificate (a-z, A-Z, 0-9, '.', '_', '-'), and not *");
}

Result<Domains> DomainsFrom(const std::string& word) {
  if (word == kAnything) return Domains{.all = true};
  auto entries = Entries(word, "domains");
  if (!entries) return entries.error();
  Domains domains;
  for (const std::string& entry : *entries) {
    if (!IsDomain(entry))
      return InvalidArgument("domains has \"" + entry + "\": names of domains, or * alone for all of them");
    domains.names.insert(entry);
  }
  return domains;
}

Result<std::set<std::string>> HostNamesFrom(const std::string& word) {
  auto entries = Entries(word, "hostnames");
  if (!entries) return entries.error();
  for (const std::string& entry : *entries) {
    if (!IsHostPattern(entry)) {
      return InvalidArgument("hostnames has \"" + entry +
                             "\": it takes shop.example, *.apps.example, tcp:* and *, in lower case");
    }
  }
  return std::set<std::string>(entries->begin(), entries->end());
}

Result<ControllerGrant> ControllerFrom(const Words& words) {
  ControllerGrant grant;
  bool domains = false;
  bool hostnames = false;
  for (std::size_t i = 2; i < words.size(); i += 2) {
    const bool has_value = i + 1 < words.size();
    if (has_value && words[i] == "domains" && !std::exchange(domains, true)) {
      auto read = DomainsFrom(words[i + 1]);
      if (!read) return read.error();
      grant.domains = *std::move(read);
    } else if (has_value && words[i] == "hostnames" && !std::exchange(hostnames, true)) {
      auto read = HostNamesFrom(words[i + 1]);
      if (!read) return read.error();
      grant.hostnames = *std::move(read);
    } else {
      return InvalidArgument("\"" + words[i] + "\" is not expected there: write " + kController);
    }
  }
  if (!domains) return InvalidArgument(std::string("it has no domains: write ") + kController);
  return grant;
}

Result<CellGrant> CellFrom(const Words& words) {
  CellGrant grant;
  bool networks = false;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "pulls" && !std::exchange(grant.pulls, true)) continue;
    if (words[i] != "networks" || std::exchange(networks, true) || i + 1 == words.size()) {
      return InvalidArgument("\"" + words[i] + "\" is not expected there: write " + kCell);
    }
    auto entries = Entries(words[++i], "networks");
    if (!entries) return entries.error();
    for (const std::string& entry : *entries) {
      const auto network = IpNetwork::From(entry);
      if (!network)
        return InvalidArgument("networks has \"" + entry + "\": it takes NETWORK/BITS, for example 10.0.0.0/24");
      grant.networks.push_back(*network);
    }
  }
  return grant;
}

template <class Grants, class Grant>
Status Keep(Grants& grants, const std::string& name, Result<Grant> grant, const char* role) {
  if (!grant) return grant.error();
  if (grants.emplace(name, *std::move(grant)).second) return Done{};
  return InvalidArgument(std::string(role) + " " + name + " is there a second time: write one line of it");
}

Status Take(const Words& words, AccessRules& rules) {
  const std::string& role = words[0];
  if (role != "controller" && role != "cell" && role != "router" && role != "web") {
    return InvalidArgument("\"" + role + "\" begins no line: it is controller, cell, router or web");
  }
  if (words.size() < 2) return InvalidArgument(role + " without a name");
  const std::string& name = words[1];
  if (Status fine = CheckName(name); !fine) return fine;
  if (role == "controller") return Keep(rules.controllers, name, ControllerFrom(words), "controller");
  if (role == "cell") return Keep(rules.cells, name, CellFrom(words), "cell");
  if (role == "router") {
    if (words.size() > 2) return InvalidArgument("\"" + words[2] + "\" is not expected there: write " + kRouter);
    return rules.routers.insert(name).second ? Status(Done{})
                                             : InvalidArgument("router " + name + " is there a second time");
  }
  const auto most = words.size() == 4 && words[2] == "most" ? ParseRole(words[3]) : std::nullopt;
  if (!most || (*most != Role::kViewer && *most != Role::kOperator && *most != Role::kAdmin)) {
    return InvalidArgument(std::string("write ") + kWeb + ", where ROLE is viewer, operator or admin");
  }
  return Keep(rules.webs, name, Result<Role>(*most), "web");
}

}  // namespace

Result<AccessRules> ParseAccess(std::string_view text, const std::string& file) {
  AccessRules rules;
  if (text.find('\0') != text.npos) return InvalidArgument(file + " is no text: it has a zero byte");
  std::istringstream in{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const Words words = WordsOf(line);
    if (words.empty()) continue;
    if (const Status taken = Take(words, rules); !taken) {
      return InvalidArgument(file + ":" + std::to_string(number) + ": " + taken.error().message);
    }
  }
  return rules;
}

}  // namespace baton
