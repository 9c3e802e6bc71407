#include "tools/router/haproxy/haproxy_socket.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>

namespace baton::router {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;
using boost::system::error_code;

// HAProxy answers in well under a millisecond a command; 1,000 servers in some tens.
constexpr std::chrono::seconds kDeadline{3};
// One line a connection. HAProxy takes longer ones (36 kB measured); this bounds what is unknown if one is lost.
constexpr std::size_t kLineMax = 12000;

Error Unavailable(const std::string& path, const std::string& what) {
  return Error{ErrorKind::kUnavailable, path + ": " + what};
}

}  // namespace

std::vector<std::string> SplitAnswers(const std::string& text) {
  std::vector<std::string> answers;
  std::string answer;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end == at) {
      answers.push_back(std::move(answer));
      answer.clear();
    } else {
      if (!answer.empty()) answer += '\n';
      answer.append(text, at, end - at);
    }
    at = end + 1;
  }
  if (!answer.empty()) answers.push_back(std::move(answer));  // the master's own refusals end without an empty line
  return answers;
}

HaproxySocket::HaproxySocket(std::string path, int worker_pid)
    : path_(std::move(path)), prefix_(worker_pid == 0 ? "" : "@!" + std::to_string(worker_pid) + ";") {}

Result<std::string> HaproxySocket::Exchange(const std::string& line) const try {
  const std::string command = line + "\n";
  std::string answer;
  std::string late = "took no command within the deadline";
  error_code failed;
  asio::io_context context(1);
  stream_protocol::socket socket(context);
  const auto end = [&](const error_code& error) {
    failed = error == asio::error::eof ? error_code() : error;
    late.clear();
  };
  const auto receive = [&](const error_code& error, std::size_t) {
    if (error) return end(error);
    error_code ignored;
    // The master's socket stays open for more commands otherwise.
    socket.shutdown(stream_protocol::socket::shutdown_send, ignored);
    late = "gave no whole answer within the deadline";
    asio::async_read(socket, asio::dynamic_buffer(answer), [&](const error_code& done, std::size_t) { end(done); });
  };
  socket.async_connect(path_, [&](const error_code& error) {
    if (error) return end(error);
    asio::async_write(socket, asio::buffer(command), receive);
  });
  context.run_for(kDeadline);
  if (!late.empty()) return Unavailable(path_, late);
  if (failed) return Unavailable(path_, failed.message());
  return answer;
} catch (const boost::system::system_error& error) {  // no descriptor is left, or the path is too long for a socket's
  return Unavailable(path_, error.what());
}

Result<std::vector<std::string>> HaproxySocket::Run(const std::vector<std::string>& commands) const {
  std::vector<std::string> answers;
  std::size_t next = 0;
  while (next < commands.size()) {
    std::string line = prefix_;
    std::size_t count = 0;
    while (next < commands.size() && (count == 0 || line.size() + commands[next].size() < kLineMax)) {
      if (count > 0) line += ';';
      line += commands[next++];
      ++count;
    }
    const Result<std::string> text = Exchange(line);
    if (!text) return text.error();
    std::vector<std::string> part = SplitAnswers(*text);
    if (!part.empty() && SaysNoSuchWorker(part[0])) return Error{ErrorKind::kNotFound, part[0]};
    if (part.size() != count) {
      return Unavailable(path_,
                         "answered " + std::to_string(part.size()) + " of " + std::to_string(count) + " commands");
    }
    answers.insert(answers.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  return answers;
}

bool Accepted(const std::string& command, const std::string& answer) {
  if (command.starts_with("add server ")) return answer.ends_with("New server registered.");
  if (command.starts_with("del server ")) return answer == "Server deleted.";
  if (command.starts_with("set server ") && command.find(" addr ") != std::string::npos) {
    return answer.find(" by 'stats socket command'") != std::string::npos;
  }
  return answer.empty();
}

bool SaysNoSuchWorker(const std::string& answer) { return answer.starts_with("Can't find the target"); }

}  // namespace baton::router
