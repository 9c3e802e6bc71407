// The reports that the leader has not answered, in the order of their happening. One fact an instance: a newer one
// takes the place of an older one, and waits until that one's answer is there, so that no two can overtake each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "baton/v2/cells_service.pb.h"

namespace baton::cell {

class Outbox {
 public:
  // Of which instance, and which of its facts.
  struct Subject {
    std::string actual_id;
    std::string instance_guid;
    auto operator<=>(const Subject&) const = default;
  };
  struct Answered {
    Subject subject;
    std::uint64_t fact_number = 0;
  };

  // `report` is whole but for its id.
  void Put(const Subject& subject, std::uint64_t fact_number, v2::CellReport report);
  // Removes the subject's report: it is no longer to be sent.
  void Drop(const Subject& subject);

  // The next reports for the present stream, with their ids; empty: nothing to send now.
  std::vector<v2::CellReport> Take(std::size_t most);
  // What the report was about; nothing for an id that is not under way.
  std::optional<Answered> Answer(std::uint64_t report_id);
  // As Answer, but the leader could not decide: kept back until Retry.
  void Postpone(std::uint64_t report_id);
  void Retry();
  // What was under way is to be told again, on another stream.
  void StreamLost();

  bool empty() const { return facts_.empty(); }
  bool postponed() const { return !postponed_.empty(); }

 private:
  struct Waiting {
    Subject subject;
    std::uint64_t fact_number = 0;
    v2::CellReport report;
  };
  struct UnderWay {
    Subject subject;
    std::uint64_t fact_number = 0;
    std::uint64_t order = 0;
  };
  void Erase(const Subject& subject);
  // What there is of it may be sent.
  void MakeReady(const Subject& subject);

  std::uint64_t last_order_ = 0;
  std::uint64_t last_report_id_ = 0;
  std::map<std::uint64_t, Waiting> facts_;  // by order; unanswered, under way or not
  std::map<Subject, std::uint64_t> orders_;
  std::set<std::uint64_t> ready_;  // of facts_: what is neither under way nor kept back, so that nothing else is looked at
  std::map<std::uint64_t, UnderWay> under_way_;  // by report id
  std::set<Subject> busy_;                       // has one under way
  std::set<Subject> postponed_;
};

}  // namespace baton::cell
