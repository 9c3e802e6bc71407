#include "tools/web/live/live_hub.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "orchestrator/base/uuid.h"
#include "tools/web/answers.h"
#include "tools/web/fleet/row_json.h"
#include "tools/web/live/apps_view.h"

namespace baton::web {
namespace {

constexpr std::chrono::milliseconds kTick(250);
constexpr char kRetry[] =
    "retry: 1000\n\n";           // ms after which a browser that lost us comes back; else it takes some 3 s
constexpr int kQuietTicks = 60;  // 15 s

std::int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// A member of the request, or what it is without.
template <class T>
T Member(const nlohmann::json& body, const char* name, T otherwise) {
  const auto found = body.find(name);
  if (found == body.end()) return otherwise;
  try {
    return found->get<T>();
  } catch (const nlohmann::json::exception&) {
    return otherwise;
  }
}

// Shows nothing of its own: counts, and whether batond is there.
class NoView final : public View {
 public:
  void Show(Viewer&, bool) override {}
};

}  // namespace

LiveHub::LiveHub(LeaderCalls& calls, bool certificate, std::size_t behind_most)
    : calls_(calls), certificate_(certificate), behind_most_(behind_most),
      feed_(calls, certificate,
            {.snapshot = [this] { table_.BeginSnapshot(); },
             .told = [this](const v2::SubscribeResponse& message) { Told(message); },
             .away = [this](const std::string& why) { WentAway(why); },
             .back = [this] { CameBack(); }}),
      tick_(calls.loop()), away_why_("no batond was reached yet"), away_since_(Now()) {}

void LiveHub::Start() {
  feed_.Start();
  Tick();
}

void LiveHub::Stop() {
  stopped_ = true;
  feed_.Stop();
  tick_.cancel();
  for (auto& [id, page] : pages_) page.viewer->End();
  pages_.clear();
}

void LiveHub::Open(const http::ExchangePtr& exchange, const Person& person) {
  if (stopped_ || pages_.size() >= kViewersMost) {
    return exchange->Answer(Problem("resource_exhausted", std::to_string(kViewersMost) + " pages are open already"));
  }
  const std::string id = RandomUuid();
  exchange->BeginStream(
      {.content_type = "text/event-stream", .headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}}});
  exchange->OnGone([this, id] { pages_.erase(id); });
  exchange->Write(kRetry);
  Page& page = pages_[id];
  page.viewer = std::make_unique<Viewer>(exchange, id, behind_most_);
  page.person = person;
  page.view = std::make_unique<NoView>();
  page.viewer->Send("hello", Text({{"stream", id}}), table_.sequence());
}

http::Response LiveHub::Look(const std::string& id, const std::string& body, const Person& person) {
  const auto found = pages_.find(id);
  if (found == pages_.end() || found->second.person != person)
    return Problem("not_found", "there is no such stream: GET /live makes one");
  const Result<Done> set = SetView(found->second, body);
  if (!set) return Problem("invalid_argument", set.error().message);
  found->second.whole = true;
  return Json("{}");
}

Result<Done> LiveHub::SetView(Page& page, const std::string& body) {
  const auto asked = nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!asked.is_object()) return InvalidArgument("the body is no JSON object");
  const std::string view = Member<std::string>(asked, "view", "");
  const auto sequence = [this] { return table_.sequence(); };
  if (view == "apps") {
    Error error;
    const auto listing =
        ListingOf(Member<std::string>(asked, "filter", ""), Member<std::string>(asked, "sort", ""), error);
    if (!listing) return error;
    const auto offset = static_cast<std::size_t>(std::max<std::int64_t>(0, Member<std::int64_t>(asked, "offset", 0)));
    const auto limit = std::clamp<std::int64_t>(Member<std::int64_t>(asked, "limit", 100), 1, kWindowMost);
    page.view = std::make_unique<AppsView>(table_, listing, offset, static_cast<std::size_t>(limit));
    page.keeps = listing;
  } else if (view == "app") {
    const std::string guid = Member<std::string>(asked, "guid", "");
    if (guid.empty()) return InvalidArgument("view app takes a guid");
    const auto watch = Kept(apps_[guid], guid, calls_, table_, certificate_, forecasts_);
    page.view = std::make_unique<TextView>("app", watch->text(), sequence);
    page.keeps = watch;
  } else if (view == "cells") {
    const auto watch = Kept(cells_, calls_, certificate_);
    page.view = std::make_unique<TextView>("cells", watch->text(), sequence);
    page.keeps = watch;
  } else if (view == "events") {
    const auto kinds = Member<std::vector<std::string>>(asked, "kinds", {});
    page.view = std::make_unique<EventsView>(events_, Member<std::string>(asked, "guid", ""),
                                             std::set<std::string>(kinds.begin(), kinds.end()));
    page.keeps = nullptr;
  } else if (view == "none") {
    page.view = std::make_unique<NoView>();
    page.keeps = nullptr;
  } else {
    return InvalidArgument("view is none of apps, app, cells, events, none");
  }
  return Done{};
}

std::shared_ptr<Listing> LiveHub::ListingOf(const std::string& filter, const std::string& sort, Error& error) {
  const Result<Order> order = Order::Of(sort);
  if (!order) {
    error = order.error();
    return nullptr;
  }
  std::weak_ptr<Listing>& weak = listings_[{filter, sort}];
  if (auto listing = weak.lock()) return listing;
  const auto listing = std::make_shared<Listing>(Filter::Of(filter), *order);
  listing->Fill(table_.All(), table_.names());
  weak = listing;
  return listing;
}

template <class Watch, class... Arguments>
std::shared_ptr<Watch> LiveHub::Kept(std::weak_ptr<Watch>& weak, Arguments&&... arguments) {
  if (auto watch = weak.lock()) return watch;
  const auto watch = std::make_shared<Watch>(std::forward<Arguments>(arguments)...);
  weak = watch;
  return watch;
}

void LiveHub::Tick() {
  tick_.expires_after(kTick);
  tick_.async_wait([this](const boost::system::error_code& fault) {
    if (fault || stopped_) return;
    Settle();
    Tick();
  });
}

void LiveHub::Settle() {
  const auto gone = [](const auto& entry) { return entry.second.expired(); };
  std::erase_if(listings_, gone);
  std::erase_if(apps_, gone);
  const auto now = std::chrono::steady_clock::now();
  if (away_since_ == 0) {
    for (const auto& [guid, weak] : apps_) weak.lock()->Step(now);
    if (const auto cells = cells_.lock()) cells->Step(now);
  }
  if (!table_.loading()) {
    const std::vector<AppRow*>& changed = table_.Settle(Now());
    for (const auto& [key, weak] : listings_) weak.lock()->Update(changed, table_.names());
  }
  nlohmann::ordered_json json = CountsJson(table_.counts());
  json["leader"] = calls_.address();
  json["viewers"] = pages_.size();
  json["people"] = PeopleJson();
  const std::string counts = Text(json);
  for (auto& [id, page] : pages_) Show(page, counts);
  if (!table_.loading()) table_.Forget();
}

// Who has how many pages open.
nlohmann::ordered_json LiveHub::PeopleJson() const {
  std::map<std::pair<std::string, std::string>, int> open;
  for (const auto& [id, page] : pages_) ++open[{page.person.name, RoleWord(page.person.role)}];
  nlohmann::ordered_json people = nlohmann::ordered_json::array();
  for (const auto& [who, pages] : open) people.push_back({{"name", who.first}, {"role", who.second}, {"pages", pages}});
  return people;
}

void LiveHub::Show(Page& page, const std::string& counts) {
  Viewer& viewer = *page.viewer;
  viewer.KeepAlive(kQuietTicks);
  if (away_since_ != 0) {
    if (!std::exchange(page.told_away, true)) {
      viewer.Send("away", Text({{"why", away_why_}, {"since", std::to_string(away_since_)}}), table_.sequence());
    }
    page.whole = true;
    return;
  }
  if (table_.loading()) {
    page.whole = true;
    return;
  }
  if (std::exchange(page.told_away, false)) viewer.Send("back", "{}", table_.sequence());
  if (viewer.Behind()) {
    page.whole = true;  // in place of what it misses
    return;
  }
  if (page.whole || page.counts != counts) viewer.Send("counts", page.counts = counts, table_.sequence());
  page.view->Show(viewer, std::exchange(page.whole, false));
}

void LiveHub::WentAway(const std::string& why) {
  away_why_ = why;
  away_since_ = Now();
}

void LiveHub::CameBack() {
  away_since_ = 0;
  for (const auto& [guid, weak] : apps_) {
    if (const auto watch = weak.lock()) watch->Poke();
  }
}

void LiveHub::Told(const v2::SubscribeResponse& message) {
  table_.Apply(message);
  for (const v2::Event& event : message.events()) {
    if (!event.unreadable()) events_.Add(event);
    if (event.process_guid().empty()) continue;
    const auto found = apps_.find(event.process_guid());
    if (found == apps_.end()) continue;
    if (const auto watch = found->second.lock()) watch->Poke();
  }
}

}  // namespace baton::web
