#include "orchestrator/bounds/connections.h"

#include <absl/strings/escaping.h>
#include <grpc/grpc.h>
#include <grpc/support/alloc.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

namespace baton::bounds {
namespace {

using nlohmann::json;

constexpr std::intptr_t kPage = 1000;

// gRPC's text, which it allocates. Null: there is no such thing.
json Read(char* text) {
  if (!text) return nullptr;
  json read = json::parse(text, nullptr, /*allow_exceptions=*/false);
  gpr_free(text);
  return read;
}

const json& At(const json& value, const char* key) {
  static const json kNothing;
  const auto at = value.is_object() ? value.find(key) : value.end();
  return value.is_object() && at != value.end() ? *at : kNothing;
}

std::string TextAt(const json& value, const char* key) {
  const json& text = At(value, key);
  return text.is_string() ? text.get<std::string>() : std::string();
}

// 64 bits are a text in JSON, and 0 is left out.
std::int64_t NumberAt(const json& value, const char* key) {
  const std::string text = TextAt(value, key);
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The same, of a text in which the key stands once: to make a tree of it up to a hundred times a second was a good part of what batond did
// while nothing happened.
std::int64_t CountIn(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return 0;
  const std::size_t digits = text.find_first_of("0123456789}", at + key.size());
  std::int64_t number = 0;
  if (digits != std::string_view::npos) std::from_chars(text.data() + digits, text.data() + text.size(), number);
  return number;
}

}  // namespace

bool Connections::FindServer() {
  if (server_ != 0) return true;
  const std::string suffix = ":" + std::to_string(port_);
  for (std::intptr_t from = 0;;) {
    const json page = Read(grpc_channelz_get_servers(from));
    for (const json& server : At(page, "server")) {
      const std::int64_t id = NumberAt(At(server, "ref"), "serverId");
      from = id + 1;
      for (const json& socket : At(server, "listenSocket")) {
        if (TextAt(socket, "name").ends_with(suffix)) server_ = id;
      }
    }
    if (server_ != 0 || !At(page, "server").is_array() || At(page, "end").is_boolean()) return server_ != 0;
  }
}

Connections::Calls Connections::CallsOfAll() {
  if (!FindServer()) return {};
  char* server = grpc_channelz_get_server(server_);
  if (!server) return {};
  const std::string_view text(server);
  const std::int64_t started = CountIn(text, "\"callsStarted\":");
  const std::int64_t failed = CountIn(text, "\"callsFailed\":");
  const Calls calls{started - CountIn(text, "\"callsSucceeded\":") - failed, failed, started};
  gpr_free(server);
  return calls;
}

std::vector<Connection> Connections::All() {
  std::vector<Connection> all;
  if (!FindServer()) return all;
  for (std::intptr_t from = 0;;) {
    const json page = Read(grpc_channelz_get_server_sockets(server_, from, kPage));
    for (const json& socket : At(page, "socketRef")) {
      const std::string name = TextAt(socket, "name");  // "chttp2 ipv4:127.0.0.1:40312"
      all.push_back({NumberAt(socket, "socketId"), name.substr(name.rfind(' ') + 1)});
      from = all.back().id + 1;
    }
    if (!At(page, "socketRef").is_array() || At(page, "end").is_boolean()) return all;
  }
}

std::optional<ConnectionState> Connections::StateOf(const Connection& connection) {
  const json read = Read(grpc_channelz_get_socket(connection.id));
  const json& socket = At(read, "socket");
  if (!socket.is_object()) return std::nullopt;
  const json& counts = At(socket, "data");
  ConnectionState state;
  state.calls_cancelled = NumberAt(counts, "streamsFailed");
  state.calls_held = NumberAt(counts, "streamsStarted") - NumberAt(counts, "streamsSucceeded") - state.calls_cancelled;
  absl::Base64Unescape(TextAt(At(At(socket, "security"), "tls"), "remote_certificate"), &state.certificate);
  return state;
}

}  // namespace baton::bounds
