// All cells with what is held on each, kept up to date piece by piece, so that one placement among a thousand cells costs
// microseconds. It decides as Place (place.h) does, which is the rule in its plain form.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/placement/place.h"

namespace baton {

class Fleet {
 public:
  // What a cell is. Its `free`, `instances` and `instances_of_app` are not looked at: they follow from what it holds.
  void Set(const CellOffer& cell, const Resources& capacity);
  // Offers the cell for no further placement. The capacity that it holds stays accounted for until released.
  void Close(const CellId& cell);

  // Who says that an instance is there. A cell's own report takes capacity but assigns no owner: cells are not trusted.
  enum class Word { kOurs, kCells };
  // An instance runs there, or was ordered there. A second time: as the last one said.
  void Hold(const CellId& cell, const ActualId& id, const ProcessGuid& guid, const Resources& resources, int ports = 0,
            Word word = Word::kOurs);
  // The rows say so, too, of what the cell has said. False where it is not held there.
  bool Confirm(const CellId& cell, const ActualId& id, const ProcessGuid& guid);
  void Release(const CellId& cell, const ActualId& id);
  void ReleaseAll(const CellId& cell);
  // What is held from here on, and what is seen, counts as seen in this audit.
  void BeginAudit() { ++audit_; }
  // The rows say that it is there. False where it is not held there, or by the cell's own word alone.
  bool See(const CellId& cell, const ActualId& id);
  struct Holding {
    CellId cell;
    ActualId id;
    ProcessGuid guid;
  };
  // What is held there, not by the cell's own word alone, and was not seen.
  std::vector<Holding> UnseenOf(const CellId& cell) const;
  // All that ever were.
  std::vector<CellId> Cells() const;
  // Nothing where it is not held there, or by the cell's own word alone.
  const ProcessGuid* HolderOf(const CellId& cell, const ActualId& id) const;
  Resources Free(const CellId& cell) const;
  // As nobody in particular is offered it.
  CellOffer OfferOf(const CellId& cell) const;

  using Refused = std::map<CellId, std::string>;  // cells that were asked for this very instance, and why not
  Placement Place(const Definition& definition, const ProcessGuid& guid, const CellId& avoid, const Refused& refused,
                  const Leaving& leaving = {}) const;
  // As an instance of this app is offered them.
  std::vector<CellOffer> Offers(const ProcessGuid& guid, const Refused& refused, const Leaving& leaving = {}) const;

 private:
  struct Held {
    ProcessGuid guid;
    Resources resources;
    int ports = 0;
    Word word = Word::kOurs;
    std::uint32_t seen = 0;  // in this audit
  };
  struct Cell {
    CellOffer offer;
    Resources capacity;
    int zone = 0;
    bool open = false;
    std::unordered_map<ActualId, Held> held;
  };
  void Account(Cell& cell, const Held& held, int sign);
  CellOffer OfferTo(const Cell& cell, const ProcessGuid& guid, const Refused& refused, const Leaving& leaving) const;
  // For each cell, by its place in cells_: has it all that is not a matter of room?
  const std::vector<char>& Fitting(const Definition& definition) const;
  std::string WhyNowhere(const Definition& definition, const ProcessGuid& guid, const Refused& refused) const;

  std::uint32_t audit_ = 0;
  std::map<CellId, std::size_t> places_;
  std::vector<Cell> cells_;  // by first coming; never shorter
  std::map<std::string, int> zones_;
  std::unordered_map<ProcessGuid, std::map<std::size_t, int>> of_app_;  // how many, on which cells
  mutable std::unordered_map<std::string, std::vector<char>> fitting_;  // by what is asked; empty after any change
};

}  // namespace baton
