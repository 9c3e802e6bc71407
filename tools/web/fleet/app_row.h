// One app as the fleet's list shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "baton/v2/desired_lrp.pb.h"
#include "baton/v2/roll.pb.h"
#include "tools/web/fleet/instance.h"

namespace baton::web {

// How much an app asks to be looked at.
enum class Attention : std::uint8_t { kNone, kRolling, kSlow, kTrouble, kWaiting, kRollingBack, kHeld };

class AppRow {
 public:
  explicit AppRow(std::string guid) : guid_(std::move(guid)) {}

  void Set(const v2::DesiredLRPSchedulingInfo& info);
  void SetRoll(const v2::Roll& roll);  // a finished one: there is none
  void Put(const Instance& instance);
  void Drop(const std::string& actual_id);
  // The app is not desired any more; its instances may still be there.
  void Undesire();
  // All of it is to be told anew.
  void Reset();

  bool desired() const { return desired_; }
  bool empty() const { return !desired_ && instances_.empty() && !roll_; }

  const std::string& guid() const { return guid_; }
  const std::string& domain() const { return domain_; }
  const std::string& definition() const { return definition_; }
  const std::optional<v2::Roll>& roll() const { return roll_; }
  const std::vector<Instance>& instances() const { return instances_; }

  // What follows from the rows; after a change it is as before until Count was called. `now`: nanoseconds since 1970.
  struct Numbers {
    int wanted = 0;
    int served = 0;  // slots with an instance that is ready
    int ready = 0;   // instances
    int crashed = 0;
    int unplaced = 0;
    int retiring = 0;
    int updated = 0;    // slots whose holder is ready and of what the open roll goes to
    int in_flight = 0;  // newcomers that do not hold a slot yet
    Attention attention = Attention::kNone;
    bool desired = false;
    v2::RollState roll = v2::ROLL_STATE_UNSPECIFIED;  // of the open one

    bool operator==(const Numbers&) const = default;
  };
  void Count(std::int64_t now, Names& names);
  const Numbers& numbers() const { return numbers_; }
  // The same as `attention`, in words; empty where there is nothing, or a roll has ended since Count.
  std::string Why() const;

  // The table's own.
  bool touched = false;  // to be counted
  bool news = false;     // something was told of it since
  bool changed = false;  // is given out now

 private:
  Attention AttentionAt(std::int64_t now) const;  // by the other numbers

  std::string guid_;
  std::string domain_;
  std::string definition_;
  int wanted_ = 0;
  bool desired_ = false;
  std::optional<v2::Roll> roll_;     // open
  std::vector<Instance> instances_;  // by key
  Numbers numbers_;
};

// Whether a roll in this state is open.
bool IsOpen(v2::RollState state);
// It is PAUSED and waits for somebody: by hand, or at a stage that time does not end.
bool WaitsForSomebody(const v2::Roll& roll);

}  // namespace baton::web
