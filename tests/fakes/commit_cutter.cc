#include "tests/fakes/commit_cutter.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

constexpr char kSocketName[] = "/.s.PGSQL.5432";
constexpr int kLookUpMs = 20;  // how soon its end is noticed

sockaddr_un Address(const std::string& path) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  CHECK(path.size() < sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  return address;
}

UniqueFd Socket() {
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  CHECK(fd.valid());
  return fd;
}

bool Send(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// What has come, at most; nothing at the end of the stream.
std::optional<std::string> Receive(int fd) {
  char buffer[65536];
  const ssize_t count = recv(fd, buffer, sizeof buffer, 0);
  if (count <= 0) return std::nullopt;
  return std::string(buffer, static_cast<std::size_t>(count));
}

// Messages of PostgreSQL's protocol 3.0: one byte of type, but for the client's first, which has none; then four bytes
// of length, which counts itself.
class Messages {
 public:
  explicit Messages(bool first) : first_(first) {}
  void Add(std::string_view bytes) { bytes_ += bytes; }
  std::optional<std::string> Next() {
    const std::size_t head = first_ ? 4 : 5;
    if (bytes_.size() < head) return std::nullopt;
    std::uint32_t length = 0;
    std::memcpy(&length, bytes_.data() + head - 4, 4);
    const std::size_t size = head - 4 + ntohl(length);
    if (bytes_.size() < size) return std::nullopt;
    first_ = false;
    std::string message = bytes_.substr(0, size);
    bytes_.erase(0, size);
    return message;
  }

 private:
  bool first_;
  std::string bytes_;
};

// 'B' length portal NUL statement NUL ...
bool Runs(const std::string& message, const std::string& statement) {
  if (message[0] != 'B') return false;
  const std::size_t portal_end = message.find('\0', 5);
  return message.compare(portal_end + 1, statement.size() + 1, statement.c_str(), statement.size() + 1) == 0;
}

// 'P' length NUL text NUL ...: in a pipeline, which the next 'S' ends.
bool Commits(const std::string& message) { return message[0] == 'P' && std::strcmp(&message[6], "COMMIT") == 0; }

}  // namespace

class CommitCutter::Connection {
 public:
  Connection(CommitCutter& cutter, UniqueFd client, UniqueFd server)
      : cutter_(cutter), client_(std::move(client)), server_(std::move(server)) {}

  void Run() {
    while (!cutter_.stopping_) {
      pollfd fds[] = {{client_.get(), POLLIN, 0}, {server_.get(), POLLIN, 0}};
      if (poll(fds, 2, kLookUpMs) <= 0) continue;
      if (fds[0].revents && !FromClient()) return;
      if (fds[1].revents && !FromServer()) return;
    }
  }

 private:
  bool FromServer() {
    const auto bytes = Receive(server_.get());
    return bytes && Send(client_.get(), *bytes);
  }

  bool FromClient() {
    const auto bytes = Receive(client_.get());
    if (!bytes) return false;
    messages_.Add(*bytes);
    while (const auto message = messages_.Next()) {
      if (Runs(*message, cutter_.statement_)) concerned_ = true;
      if (Commits(*message)) {
        cut_ = concerned_ ? cutter_.cut_.exchange(Cut::kNone) : Cut::kNone;
        concerned_ = false;
      }
      if (cut_ == Cut::kBefore) return false;
      if (!Send(server_.get(), *message)) return false;
      if (cut_ == Cut::kAfter && (*message)[0] == 'S') {
        PassSome();
        return false;
      }
    }
    return true;
  }

  // Up to the server's 'Z': all of the pipeline is done.
  void PassSome() {
    Messages answers(/*first=*/false);
    std::string all;
    for (bool ready = false; !ready;) {
      const auto bytes = Receive(server_.get());
      if (!bytes) break;
      all += *bytes;
      answers.Add(*bytes);
      while (const auto message = answers.Next()) ready = ready || (*message)[0] == 'Z';
    }
    const auto some = static_cast<std::size_t>(cutter_.bytes_);
    cutter_.passed_all_ = some >= all.size();
    (void)Send(client_.get(), std::string_view(all).substr(0, some));
  }

  CommitCutter& cutter_;
  UniqueFd client_;
  UniqueFd server_;
  Messages messages_{/*first=*/true};
  bool concerned_ = false;  // its transaction ran the statement
  Cut cut_ = Cut::kNone;    // of the COMMIT that was seen
};

CommitCutter::CommitCutter(const std::string& url, std::string statement) : statement_(std::move(statement)) {
  const std::size_t host = url.find("host=") + 5;
  const std::size_t end = url.find(' ', host);
  CHECK(host >= 5 && url.at(host) == '/');
  server_path_ = url.substr(host, end - host) + kSocketName;
  char dir[] = "/tmp/baton-cutter-XXXXXX";
  CHECK(mkdtemp(dir) != nullptr);
  dir_ = dir;
  url_ = url;
  url_.replace(host, end - host, dir_);
  listener_ = Socket();
  const sockaddr_un address = Address(dir_ + kSocketName);
  CHECK(bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(listen(listener_.get(), 16) == 0);
  acceptor_ = std::thread([this] { Accept(); });
}

CommitCutter::~CommitCutter() {
  stopping_ = true;
  acceptor_.join();
  for (std::thread& connection : connections_) connection.join();
  std::filesystem::remove_all(dir_);
}

void CommitCutter::Accept() {
  while (!stopping_) {
    pollfd fd{listener_.get(), POLLIN, 0};
    if (poll(&fd, 1, kLookUpMs) <= 0) continue;
    UniqueFd client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    UniqueFd server = Socket();
    const sockaddr_un address = Address(server_path_);
    if (!client.valid()) continue;
    if (connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) continue;
    connections_.emplace_back([this, connection = std::make_shared<Connection>(
                                         *this, std::move(client), std::move(server))] { connection->Run(); });
  }
}

}  // namespace baton
