#include "orchestrator/server/lists/listed_pages.h"

#include <google/protobuf/unknown_field_set.h>

#include <type_traits>
#include <utility>

#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

// A list: how a row of it is put into its message, and where these lie in a page.
struct Apps {
  using Row = DesiredRead;
  using Filter = DesiredFilter;
  using Message = v2::DesiredLRP;
  using Response = v2::ListDesiredLRPsResponse;
  static constexpr KeptLists::Kind kKind = KeptLists::Kind::kApps;
  static constexpr int kField = Response::kDesiredLrpsFieldNumber;
  static Status Fill(const Row& row, Message& message) { return FillApp(row, message); }
  static auto* Rows(Response& page) { return page.mutable_desired_lrps(); }
};

struct SchedulingInfos {
  using Row = DesiredRead;
  using Filter = DesiredFilter;
  using Message = v2::DesiredLRPSchedulingInfo;
  using Response = v2::ListSchedulingInfosResponse;
  static constexpr KeptLists::Kind kKind = KeptLists::Kind::kSchedulingInfos;
  static constexpr int kField = Response::kSchedulingInfosFieldNumber;
  static Status Fill(const Row& row, Message& message) {
    return wire::FillSchedulingInfo(row.guid, row.desired, row.active, message), Done{};
  }
  static auto* Rows(Response& page) { return page.mutable_scheduling_infos(); }
};

struct Instances {
  using Row = ActualRead;
  using Filter = ActualFilter;
  using Message = v2::ActualLRP;
  using Response = v2::ListActualLRPsResponse;
  static constexpr KeptLists::Kind kKind = KeptLists::Kind::kInstances;
  static constexpr int kField = Response::kActualLrpsFieldNumber;
  static Status Fill(const Row& row, Message& message) { return wire::Fill(row.guid, row.lrp, message), Done{}; }
  static auto* Rows(Response& page) { return page.mutable_actual_lrps(); }
};

ListPlace PlaceOf(const DesiredRead& row) { return {row.guid}; }
ListPlace PlaceOf(const ActualRead& row) { return {row.guid, row.lrp.id}; }
const std::string& DomainOf(const DesiredRead& row) { return row.desired.domain; }
const std::string& DomainOf(const ActualRead& row) { return row.lrp.domain; }

BrokenRow Unfilled(const DesiredRead& row, const Error& error) {
  return {row.guid.str(), "app " + row.guid.str(), error.message};
}
BrokenRow Unfilled(const ActualRead& row, const Error& error) {
  return {row.lrp.id.str(), "instance " + row.lrp.id.str() + " of " + row.guid.str(), error.message};
}

Result<Page<DesiredRead>> ReadPage(Reader& reader, const DesiredFilter& filter, ListPlace& after, int limit) {
  return reader.ListDesired(filter, after.guid, limit);
}
Result<Page<ActualRead>> ReadPage(Reader& reader, const ActualFilter& filter, ListPlace& after, int limit) {
  return reader.ListActuals(filter, after.guid, after.id, limit);
}
template <class List>
Result<ChunkSince<typename List::Row>> ReadSince(Reader& reader, const KeptChunk& chunk, int most) {
  if constexpr (std::is_same_v<typename List::Row, ActualRead>)
    return reader.ReadActualsSince(chunk, most);
  else
    return reader.ReadDesiredSince(chunk, most);
}

// As answers have them, without secrets; what cannot be shown is told instead.
template <class List>
void Encode(const std::vector<typename List::Row>& rows, wire::Show shown, ListedRows& listed,
            std::vector<BrokenRow>& broken) {
  listed.reserve(rows.size());
  typename List::Message message;
  for (const auto& row : rows) {
    message.Clear();
    if (const Status filled = List::Fill(row, message); !filled) {
      broken.push_back(Unfilled(row, filled.error()));
      continue;
    }
    wire::Redact(message, shown);
    listed.push_back({PlaceOf(row), DomainOf(row), message.SerializeAsString()});
  }
}

// All rows of a list.
template <class List>
class RowsOf final : public ListSource {
 public:
  RowsOf(Reader& reader, const typename List::Filter& all, wire::Show shown)
      : reader_(reader), all_(all), shown_(shown) {}

  Result<Page<ListedRow>> Read(ListPlace& after, int limit) override {
    auto read = ReadPage(reader_, all_, after, limit);
    if (!read) return read.error();
    Page<ListedRow> page{
        .rows = {}, .broken = std::move(read->broken), .last = read->last, .mark = std::move(read->mark)};
    Encode<List>(read->rows, shown_, page.rows, page.broken);
    return page;
  }

  Result<ChunkSince<ListedRow>> Since(const KeptChunk& chunk, int most) override {
    auto read = ReadSince<List>(reader_, chunk, most);
    if (!read) return read.error();
    ChunkSince<ListedRow> since{
        .anew = read->anew, .written = {}, .removed = std::move(read->removed), .mark = std::move(read->mark)};
    std::vector<BrokenRow> broken;
    Encode<List>(read->written, shown_, since.written, broken);
    if (!broken.empty()) since = {.anew = true};
    return since;
  }

 private:
  Reader& reader_;
  const typename List::Filter& all_;
  const wire::Show shown_;
};

// On the wire, a message of a field is the field's number and its bytes, whoever encoded it.
void AddEncoded(int field, std::string message, google::protobuf::Message& page) {
  *page.GetReflection()->MutableUnknownFields(&page)->AddLengthDelimited(field) = std::move(message);
}

// From what is kept: until there is something of this domain, or nothing any more. False: the page is to be read from
// rows, as they are better there, or some cannot be read, and nobody knows of which domain they are.
template <class List>
Result<bool> FillFromKept(KeptList& kept, ListSource& source, const std::string& domain, ListPlace& after,
                          typename List::Response& page, bool& last) {
  for (bool empty = true; empty && !last;) {
    if (!kept.Serves(domain)) return false;
    auto next = kept.Read(source, after, KeptList::Clock::now());
    if (!next) return next.error();
    if (!next->broken.empty() && !domain.empty()) return false;
    for (ListedRow& row : next->rows) {
      if (!domain.empty() && row.domain != domain) continue;
      AddEncoded(List::kField, std::move(row.message), page);
      empty = false;
    }
    AddUnreadable(next->broken, page);
    empty = empty && next->broken.empty();
    after = next->after;
    last = next->last;
  }
  return true;
}

template <class List>
Status FillFromRows(const typename List::Filter& filter, ListPlace& after, Reader& reader,
                    typename List::Response& page, bool& last) {
  auto read = ReadPage(reader, filter, after, kPageRows);
  if (!read) return read.error();
  for (const auto& row : read->rows) {
    const Status filled = List::Fill(row, *List::Rows(page)->Add());
    if (filled) continue;
    List::Rows(page)->RemoveLast();
    AddUnreadable({Unfilled(row, filled.error())}, page);
  }
  AddUnreadable(read->broken, page);
  last = read->last;
  return Done{};
}

// A list goes on from a place in either way: each page takes the one that is better then.
template <class List>
FetchPage<typename List::Response> Pages(KeptLists* lists, const typename List::Filter& filter, wire::Show shown) {
  typename List::Filter all = filter;
  all.domain.clear();
  KeptList* kept = lists && all.TakesAll() ? lists->Of(List::kKind, shown, KeptList::Clock::now()) : nullptr;
  return [=, after = ListPlace()](Reader& reader, typename List::Response& page, bool& last) mutable {
    if (kept) {
      RowsOf<List> source(reader, all, KeptLists::AsKept(List::kKind, shown));
      const auto filled = FillFromKept<List>(*kept, source, filter.domain, after, page, last);
      if (!filled) return Status(filled.error());
      if (*filled) return Status(Done{});
    }
    return FillFromRows<List>(filter, after, reader, page, last);
  };
}

}  // namespace

FetchPage<v2::ListDesiredLRPsResponse> AppPages(KeptLists* kept, DesiredFilter filter, wire::Show shown) {
  filter.scheduling_only = false;
  return Pages<Apps>(kept, filter, shown);
}

FetchPage<v2::ListSchedulingInfosResponse> SchedulingPages(KeptLists* kept, DesiredFilter filter, wire::Show shown) {
  filter.scheduling_only = true;
  return Pages<SchedulingInfos>(kept, filter, shown);
}

FetchPage<v2::ListActualLRPsResponse> InstancePages(KeptLists* kept, ActualFilter filter, wire::Show shown) {
  return Pages<Instances>(kept, filter, shown);
}

Status FillApp(const DesiredRead& read, v2::DesiredLRP& app) {
  if (Status s = wire::Fill(read.active, read.run_info, *app.mutable_definition()); !s) return s;
  wire::Fill(read.guid, read.desired, app);
  app.set_roll_id(read.open_roll.str());
  app.set_image_password(read.desired.image_password);
  return Done{};
}

}  // namespace baton
