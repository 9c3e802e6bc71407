// The commands of a page of the guide, run as they stand there. A block of them has its name in a comment before it:
//   <!-- block: backup -->
//   ```sh
#pragma once

#include <functional>
#include <map>
#include <string>

namespace baton {

class Runbook {
 public:
  // `page`: below the sources. `dir`: where the commands are run, with a copy of what they name: another user, such as
  // PostgreSQL's, may not be able to enter a clone.
  Runbook(std::string page, std::string dir);

  // Instead of the lines of a block, such as the one that says what differs from place to place; goes before each
  // block.
  void SayFirst(const std::string& block, const std::string& lines);
  // A program that is not here, such as systemctl, is this function of its arguments. It is found before others in
  // PATH.
  void StandIn(const std::string& program, std::function<void(const std::string& arguments)> by);
  void Export(const std::string& variable, const std::string& value) { environment_[variable] = value; }

  struct Outcome {
    int exit_status = -1;
    std::string output;  // stdout and stderr
  };
  // By bash, which ends at the first command that fails. `replaced`: words of it that are another here.
  Outcome Run(const std::string& block, const std::map<std::string, std::string>& replaced = {});

 private:
  std::string Lines(const std::string& block) const;
  void ServeStandIns();

  std::string text_;
  std::string dir_;
  std::string first_;
  std::map<std::string, std::string> environment_;
  std::map<std::string, std::function<void(const std::string&)>> stand_ins_;
};

}  // namespace baton
