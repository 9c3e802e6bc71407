// Machines of a network: each is a network namespace with an address of its own, beside this one. What lies between two
// of them can be cut. Needs root.
#pragma once

#include <string>
#include <vector>

namespace baton {

class Machines {
 public:
  explicit Machines(int count);
  ~Machines();
  Machines(const Machines&) = delete;
  Machines& operator=(const Machines&) = delete;

  // Whether this machine lets us.
  bool there() const { return there_; }
  static std::string Here() { return "10.213.8.1"; }
  // From 0 on.
  static std::string Address(int machine) { return "10.213.8." + std::to_string(11 + machine); }
  // What a command begins with that is to run there.
  std::vector<std::string> On(int machine) const { return {"/usr/sbin/ip", "netns", "exec", Name(machine)}; }

  // Packets between the two are dropped, without a word.
  void Part(int one, int other) const;
  void Join(int one, int other) const;
  // Of its packets to and from everybody.
  void CutOff(int machine) const;
  void Reconnect(int machine) const;

 private:
  std::string Name(int machine) const { return prefix_ + std::to_string(machine); }
  bool Make();
  void Remove() const;

  const std::string prefix_;
  const std::string link_;
  const int count_;
  bool there_ = false;
};

}  // namespace baton
