#include "tests/e2e/flight_recorder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "tests/schema/pg_tools.h"

namespace baton {
namespace {

using testing::Psql;

constexpr char kSlot[] = "flight_recorder";

}  // namespace

std::vector<std::string> FlightRecorder::Settings() {
  return {"wal_level=logical", "log_statement=all", "log_line_prefix=%a %x "};
}

FlightRecorder::FlightRecorder(std::string url, std::string log) : url_(std::move(url)), log_(std::move(log)) {
  Psql(url_, std::string("SELECT pg_create_logical_replication_slot('") + kSlot + "', 'test_decoding')");
  Psql(url_, "ALTER TABLE leases REPLICA IDENTITY FULL");
  std::istringstream lease(Psql(url_, "SELECT epoch, holder FROM leases WHERE name = 'batond'"));
  std::string epoch;
  std::getline(lease, epoch, '|');
  std::getline(lease, leader_);
  epoch_ = std::stoll(epoch);
}

FlightRecorder::~FlightRecorder() { Psql(url_, std::string("SELECT pg_drop_replication_slot('") + kSlot + "')"); }

FlightReport FlightRecorder::Read() {
  std::istringstream changes(Psql(url_, std::string("SELECT data FROM pg_logical_slot_get_changes('") + kSlot +
                                            "', NULL, NULL, 'skip-empty-xacts', '1')"));
  // Who committed each transaction: the line of its COMMIT names client and transaction.
  std::map<std::string, std::string> owner;
  std::ifstream log(log_);
  const std::regex commit(R"(^(\S+) (\d+) LOG:  (?:statement|execute <unnamed>): COMMIT.*)");
  for (std::string line; std::getline(log, line);) {
    std::smatch match;
    if (std::regex_match(line, match, commit)) owner[match[2]] = match[1];
  }
  FlightReport report;
  const std::regex election(R"(table public\.leases: UPDATE:.* new-tuple: name\[text\]:'batond' epoch\[bigint\]:(\d+) holder\[text\]:'([^']*)'.*)");
  std::string xid;
  bool ours = false;
  for (std::string line; std::getline(changes, line);) {
    std::smatch match;
    if (line.starts_with("BEGIN ")) {
      xid = line.substr(6);
      ours = false;
    } else if (line.starts_with("COMMIT ") && ours) {
      ++report.commits;
      const auto who = owner.find(xid);
      const std::string name = who == owner.end() ? "nobody that the log knows" : who->second;
      if (name != leader_) {
        report.breaches.push_back("transaction " + xid + " of " + name + " was committed while " + leader_ +
                                  " led with epoch " + std::to_string(epoch_));
      }
    } else if (std::regex_match(line, match, election)) {
      const std::int64_t epoch = std::stoll(match[1]);
      if (epoch == epoch_) continue;  // renewed or resigned
      if (epoch < epoch_) report.breaches.push_back("epoch " + std::to_string(epoch) + " after " + std::to_string(epoch_));
      epoch_ = epoch;
      leader_ = match[2];
      ++report.elections;
      report.epochs.push_back(epoch);
    } else if (line.starts_with("table ") && !line.starts_with("table public.leases:") &&
               !line.starts_with("table public.members:")) {
      ours = true;  // members: everybody says of himself that he is there
    }
  }
  return report;
}

}  // namespace baton
