#include "tools/logging/library_logs.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tools/logging/line_rate.h"

namespace baton {
namespace {

// Of one place in a library: anybody on the network can bring some of them about, such as each handshake that fails.
constexpr std::int64_t kLibraryLinesASecond = 10;

std::atomic<Log*> log_of_all = nullptr;

// gRPC does not say with whom, and leaves it to us what to look at.
constexpr std::string_view kHandshake = "Handshake failed";
constexpr std::string_view kWhatToDo =
    "the other side has no certificate, or one that has expired or is of no authority in ca.pem: baton certs check DIR, there and here";

LineRate& Rate() {
  static LineRate rate(kLibraryLinesASecond);
  return rate;
}

void Tell(LogLevel level, std::string_view library, const char* file, int line, std::string_view message) {
  Log* log = log_of_all.load();
  if (!log) return;
  const char* slash = std::strrchr(file, '/');
  const std::string at = std::string(slash ? slash + 1 : file) + ":" + std::to_string(line);
  const LineRate::Answer rate = Rate().Ask(at, std::chrono::steady_clock::now());
  if (!rate.may) return;
  if (rate.dropped > 0) log->Write(level, "library_messages_dropped", {{"library", library}, {"at", at}, {"lines", rate.dropped}});
  if (message.find(kHandshake) == message.npos) {
    return log->Write(level, "library_message", {{"library", library}, {"at", at}, {"message", message}});
  }
  log->Write(level, "library_message", {{"library", library}, {"at", at}, {"message", message}, {"do", kWhatToDo}});
}

void OfProtobuf(google::protobuf::LogLevel level, const char* file, int line, const std::string& message) {
  switch (level) {
    case google::protobuf::LOGLEVEL_INFO: return Tell(LogLevel::kDebug, "protobuf", file, line, message);
    case google::protobuf::LOGLEVEL_WARNING:
    case google::protobuf::LOGLEVEL_ERROR: return Tell(LogLevel::kWarn, "protobuf", file, line, message);
    case google::protobuf::LOGLEVEL_FATAL: return Tell(LogLevel::kError, "protobuf", file, line, message);
  }
}

// A warning of gRPC's for each connection by an address or name that the certificate does not have: those identify no
// peer.
constexpr std::string_view kNameOfHost = "No match found for server name";

void OfGrpc(gpr_log_func_args* said) {
  const bool no_news = said->severity == GPR_LOG_SEVERITY_DEBUG || std::string_view(said->message).starts_with(kNameOfHost);
  const LogLevel level = no_news                                   ? LogLevel::kDebug
                         : said->severity == GPR_LOG_SEVERITY_INFO ? LogLevel::kInfo
                                                                   : LogLevel::kWarn;
  Tell(level, "grpc", said->file, said->line, said->message);
}

void Nothing(gpr_log_func_args*) {}

}  // namespace

LibraryLogs::LibraryLogs(Log& log) {
  log_of_all = &log;
  google::protobuf::SetLogHandler(OfProtobuf);
  gpr_set_log_function(OfGrpc);
}

// The handlers stay installed but log nothing: gRPC's threads may outlive the log.
LibraryLogs::~LibraryLogs() { log_of_all = nullptr; }

void QuietLibraries() {
  if (std::getenv("GRPC_VERBOSITY") || std::getenv("GRPC_TRACE")) return;
  google::protobuf::SetLogHandler(nullptr);
  gpr_set_log_function(Nothing);
}

}  // namespace baton
