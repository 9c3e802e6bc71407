#include "tools/cell/leader/outbox.h"

#include <utility>

namespace baton::cell {

void Outbox::Erase(const Subject& subject) {
  const auto found = orders_.find(subject);
  if (found == orders_.end()) return;
  facts_.erase(found->second);
  ready_.erase(found->second);
  orders_.erase(found);
}

void Outbox::MakeReady(const Subject& subject) {
  const auto found = orders_.find(subject);
  if (found != orders_.end()) ready_.insert(found->second);
}

void Outbox::Put(const Subject& subject, std::uint64_t fact_number, v2::CellReport report) {
  const auto known = orders_.find(subject);
  // The same fact again: it is in hand already, at its place.
  if (known != orders_.end() && facts_.at(known->second).fact_number == fact_number) return;
  Erase(subject);
  const std::uint64_t order = ++last_order_;
  facts_[order] = {subject, fact_number, std::move(report)};
  orders_[subject] = order;
  if (!busy_.contains(subject) && !postponed_.contains(subject)) ready_.insert(order);
}

void Outbox::Drop(const Subject& subject) {
  Erase(subject);
  postponed_.erase(subject);
}

std::vector<v2::CellReport> Outbox::Take(std::size_t most) {
  std::vector<v2::CellReport> reports;
  while (reports.size() < most && !ready_.empty()) {
    const std::uint64_t order = *ready_.begin();
    ready_.erase(ready_.begin());
    const Waiting& fact = facts_.at(order);
    busy_.insert(fact.subject);
    under_way_[++last_report_id_] = {fact.subject, fact.fact_number, order};
    reports.push_back(fact.report);
    reports.back().set_report_id(last_report_id_);
  }
  return reports;
}

std::optional<Outbox::Answered> Outbox::Answer(std::uint64_t report_id) {
  const auto found = under_way_.find(report_id);
  if (found == under_way_.end()) return std::nullopt;
  const UnderWay answered = std::move(found->second);
  under_way_.erase(found);
  busy_.erase(answered.subject);
  const auto order = orders_.find(answered.subject);
  if (order != orders_.end() && order->second == answered.order) Erase(answered.subject);
  MakeReady(answered.subject);  // a newer fact that waited for this answer
  return Answered{answered.subject, answered.fact_number};
}

void Outbox::Postpone(std::uint64_t report_id) {
  const auto found = under_way_.find(report_id);
  if (found == under_way_.end()) return;
  busy_.erase(found->second.subject);
  if (orders_.contains(found->second.subject)) postponed_.insert(found->second.subject);
  under_way_.erase(found);
}

void Outbox::Retry() {
  for (const Subject& subject : std::exchange(postponed_, {})) MakeReady(subject);
}

void Outbox::StreamLost() {
  under_way_.clear();
  busy_.clear();
  postponed_.clear();
  for (const auto& [order, fact] : facts_) ready_.insert(order);
}

}  // namespace baton::cell
