// Hands in the database that are not batond's: a person's at a prompt, another program's, a restored table's. They edit
// rows of apps that batond works on, keep transactions open, and write events of their own.
#pragma once

#include <atomic>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sql/session/session.h"

namespace baton {

class ForeignHands {
 public:
  // `url`: of the database, not by way of anything. `apps`: process guids. `sealed`: what is encrypted is not copied
  // from row to row, as it could not be read there. From now on, until Stop.
  ForeignHands(std::string url, std::vector<std::string> apps, bool sealed, unsigned seed);
  ~ForeignHands() { Stop(); }
  void Stop();

  // Transactions that were committed, and those that were taken back.
  int committed() const { return committed_; }
  int taken_back() const { return taken_back_; }

 private:
  void Edit(unsigned seed);
  void EditSlowly(unsigned seed);
  void WriteEvents(unsigned seed);
  // Whether it was committed.
  void Count(bool done) { ++(done ? committed_ : taken_back_); }
  void Linger(std::mt19937& random, int most_ms) const;
  std::string AnEdit(std::mt19937& random) const;

  const std::string url_;
  const std::vector<std::string> apps_;
  const bool sealed_;
  std::atomic<bool> over_{false};
  std::atomic<int> committed_{0};
  std::atomic<int> taken_back_{0};
  std::vector<std::thread> threads_;
};

}  // namespace baton
