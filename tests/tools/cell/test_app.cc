// An app for tests: an HTTP server on $PORT (or the port of the environment variable that its first argument names).
//   /health, /ready   200, or 503 while a file "unhealthy", "unready" is in its directory
//   /env/NAME         the value of an environment variable
// Says "listening" on stdout when it does, "terminated" when told to end.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void OnTerminate(int) {
  [[maybe_unused]] const ssize_t written = write(1, "terminated\n", 11);
  _exit(0);
}

std::string Answer(const std::string& path) {
  const bool bad =
      (path == "/health" && access("unhealthy", F_OK) == 0) || (path == "/ready" && access("unready", F_OK) == 0);
  std::string body = "hello\n";
  if (path.starts_with("/env/")) {
    const char* value = std::getenv(path.c_str() + 5);
    body = value ? value : "";
  }
  return "HTTP/1.1 " + std::string(bad ? "503" : "200") +
         " X\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

void Serve(int connection) {
  char request[4096];
  const ssize_t count = read(connection, request, sizeof request - 1);
  if (count > 0) {
    const std::string text(request, static_cast<std::size_t>(count));
    const std::size_t from = text.find(' ') + 1;
    const std::string answer = Answer(text.substr(from, text.find(' ', from) - from));
    [[maybe_unused]] const ssize_t written = write(connection, answer.data(), answer.size());
  }
  close(connection);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGTERM, OnTerminate);
  std::signal(SIGPIPE, SIG_IGN);
  const char* port = std::getenv(argc > 1 ? argv[1] : "PORT");
  if (port == nullptr) return 2;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || listen(listener, 64) != 0) return 3;
  std::puts("listening");
  std::fflush(stdout);
  for (;;) {
    const int connection = accept(listener, nullptr, nullptr);
    if (connection >= 0) Serve(connection);
  }
}
