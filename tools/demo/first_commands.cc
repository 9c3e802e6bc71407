#include "tools/demo/first_commands.h"

#include <filesystem>

namespace baton::demo {
namespace {

// The path as typed from the current directory.
std::string Typed(const std::string& path) {
  std::error_code error;
  const auto relative = std::filesystem::relative(path, error);
  return error || relative.string().starts_with("../..") ? path : relative.string();
}

}  // namespace

std::string FirstCommands(const stack::Stack& stack, const std::string& hostname, const std::string& way) {
  const std::string bin = Typed(stack.bin_dir()) + "/";
  const std::string baton = bin + "baton " + way;
  std::string text;
  const auto add = [&text](const std::string& command) { text += "  " + command + "\n"; };
  if (hostname.empty()) {
    add(baton + "apply -f examples/apps/hello.yaml --set HELLO=" + stack.bin_dir() + "/hello --set VERSION=v1 --wait");
  }
  add("curl -s -H 'Host: " + (hostname.empty() ? "hello.example" : hostname) + "' http://" + stack.http_address() +
      "/");
  add(baton + "get instances -o wide");
  add(baton + "rollout history hello");
  add(bin + "baton-definitions --embedded " + stack.dir() + "/pg");
  add(bin + "baton-cell ps --dir " + stack.dir() + "/" + stack.CellName(1));
  add(bin + "baton-router status --socket " + stack.dir() + "/router/haproxy.sock");
  add("curl -s http://" + stack.metrics_address() + "/metrics");
  add("tail -f " + stack.dir() + "/*.log");
  return text;
}

}  // namespace baton::demo
