// The live streams of all pages, and what they look at. A quarter of a second at a time: the table takes in what came,
// then each page is sent what has changed for it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>

#include "tools/http/exchange.h"
#include "tools/web/fleet/fleet_table.h"
#include "tools/web/fleet/window.h"
#include "tools/web/live/app_watch.h"
#include "tools/web/live/cells_watch.h"
#include "tools/web/live/events_log.h"
#include "tools/web/live/feed.h"
#include "tools/web/live/view.h"
#include "tools/web/who/person.h"

namespace baton::web {

class LiveHub {
 public:
  static constexpr std::size_t kViewersMost = 200;
  static constexpr std::size_t kWindowMost = 1000;  // rows

  LiveHub(LeaderCalls& calls, bool certificate, std::size_t behind_most);
  void Start();
  void Stop();

  // GET /live: the exchange becomes a stream, or is refused where there are too many.
  void Open(const http::ExchangePtr& exchange, const Person& person);
  // POST /live/ID: what it shows from now on.
  http::Response Look(const std::string& id, const std::string& body, const Person& person);

  std::size_t viewers() const { return pages_.size(); }
  // Since when no batond has led, nanoseconds since 1970; 0: one leads.
  std::int64_t away_since() const { return away_since_; }
  const FleetTable& table() const { return table_; }

 private:
  struct Page {
    std::unique_ptr<Viewer> viewer;
    Person person;
    std::unique_ptr<View> view;   // null: nothing yet
    std::shared_ptr<void> keeps;  // what the view shows, and others of the same
    std::string counts;           // as last sent
    bool whole = true;
    bool told_away = false;
  };

  void Tick();
  void Settle();
  void Show(Page& page, const std::string& counts);
  nlohmann::ordered_json PeopleJson() const;
  void WentAway(const std::string& why);
  void CameBack();
  void Told(const v2::SubscribeResponse& message);
  Result<Done> SetView(Page& page, const std::string& body);
  std::shared_ptr<Listing> ListingOf(const std::string& filter, const std::string& sort, Error& error);
  template <class Watch, class... Arguments>
  static std::shared_ptr<Watch> Kept(std::weak_ptr<Watch>& weak, Arguments&&... arguments);

  LeaderCalls& calls_;
  bool certificate_;
  std::size_t behind_most_;
  FleetTable table_;
  EventsLog events_;
  Feed feed_;
  boost::asio::steady_timer tick_;
  std::unordered_map<std::string, Page> pages_;
  std::map<std::pair<std::string, std::string>, std::weak_ptr<Listing>> listings_;  // by filter and sort
  std::map<std::string, std::weak_ptr<AppWatch>> apps_;
  std::shared_ptr<ForecastTurn> forecasts_ = std::make_shared<ForecastTurn>();
  std::weak_ptr<CellsWatch> cells_;
  std::string away_why_;
  std::int64_t away_since_;
  bool stopped_ = false;
};

}  // namespace baton::web
