// What several readers of rows take out of a column: sealed blobs, names of states, ports.
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/names.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/stored/stored.h"
#include "sql/session/session.h"

namespace baton {

// In place of a text that is shown, and cannot be.
inline constexpr char kNoText[] = "(this is no UTF-8 text: its row was changed by hand)";

// Opens blobs of one row, and keeps the first fault.
class Blobs {
 public:
  Blobs(const Cipher& cipher, const char* table, std::string key)
      : cipher_(cipher), table_(table), key_(std::move(key)) {}

  std::string Open(const Rows::Row& row, Column column) {
    auto opened = cipher_.Open({table_, column.name(), key_}, row.Bytes(column));
    if (opened) return *std::move(opened);
    Keep(column.name(), opened.error());
    return {};
  }
  // A value that must be exact: returned as written, or the row is broken.
  std::string Text(const Rows::Row& row, Column column) {
    std::string text = Open(row, column);
    if (wire::IsUtf8(text)) return text;
    Keep(column.name(), {ErrorKind::kDataLoss, "it is no UTF-8 text", {}});
    return {};
  }
  // What is only shown: it says in its own place that it cannot be read, and no app stands still over it.
  std::string Shown(const Rows::Row& row, Column column) {
    std::string text = Open(row, column);
    return wire::IsUtf8(text) ? text : kNoText;
  }
  template <class T>
  void Take(std::string_view column, Result<T> decoded, T& out) {
    decoded ? void(out = *std::move(decoded)) : Keep(column, decoded.error());
  }
  void Keep(std::string_view column, const Error& error) {
    if (first_) return;
    first_ = Error{ErrorKind::kDataLoss, std::string(table_) + " " + key_ + ", column " + std::string(column) + ": " + error.message};
  }
  const std::optional<Error>& first() const { return first_; }

 private:
  const Cipher& cipher_;
  const char* table_;
  std::string key_;
  std::optional<Error> first_;
};

inline void TakePresenceAndState(const std::string& presence_name, const std::string& state_name, Blobs& blobs, ActualLrp& lrp) {
  const auto presence = ParsePresence(presence_name);
  const auto state = ParseLrpState(state_name);
  if (!presence) blobs.Keep("presence", {ErrorKind::kDataLoss, "there is no presence '" + presence_name + "'", {}});
  if (!state) blobs.Keep("state", {ErrorKind::kDataLoss, "there is no state '" + state_name + "'", {}});
  lrp.presence = presence.value_or(Presence::kOrdinary);
  lrp.state = state.value_or(LrpState::kCrashed);
}

// What an instance is and where it serves: of whole rows, and of those that a routing table is made of.
inline ActualLrp ReadServing(const Rows::Row& row, Blobs& blobs) {
  ActualLrp lrp;
  lrp.id = ActualId(row.Text("actual_id"));
  lrp.incarnation = row.Int("incarnation");
  lrp.index = static_cast<int>(row.Int("instance_index"));
  TakePresenceAndState(row.Text("presence"), row.Text("state"), blobs, lrp);
  lrp.definition = DefinitionId(row.Text("definition_identifier"));
  lrp.instance_guid = InstanceGuid(row.Text("instance_guid"));
  const Status start = wire::DecodeStart(blobs.Open(row, "net_info"), lrp);
  if (!start) blobs.Keep("net_info", start.error());
  return lrp;
}

inline std::vector<std::uint32_t> PortNumbers(const std::vector<std::string>& texts) {
  std::vector<std::uint32_t> ports;
  for (const std::string& text : texts) {
    std::uint32_t port = 0;  // NULL, or beyond what a port can be: one that nothing listens on
    std::from_chars(text.data(), text.data() + text.size(), port);
    ports.push_back(port);
  }
  return ports;
}

// In pairs: a port's number before, and now.
inline std::map<std::uint32_t, std::uint32_t> PortAliases(const std::vector<std::string>& texts) {
  const auto numbers = PortNumbers(texts);
  std::map<std::uint32_t, std::uint32_t> aliases;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) aliases[numbers[i]] = numbers[i + 1];
  return aliases;
}

}  // namespace baton
