// What a command of the shell's writes.
#pragma once

#include <cstdio>
#include <string>

namespace baton {

inline std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return output;
  char piece[4096];
  while (const std::size_t count = fread(piece, 1, sizeof piece, pipe)) output.append(piece, count);
  pclose(pipe);
  return output;
}

}  // namespace baton
