// What the conformance suite needs of a store, the real one or the fake.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "orchestrator/model/app_state.h"
#include "orchestrator/ports/store.h"
#include "tests/fakes/test_call.h"

namespace baton {

class StoreHarness : public CommitListener {
 public:
  virtual Store& store() = 0;
  // The app as it is stored.
  virtual AppState Read(const ProcessGuid& guid) = 0;
  virtual void RegisterConsumer(const ConsumerId& id) = 0;
  virtual void GiveCellLease(const CellId& id, bool expired) = 0;
  // As the collector does; false: something refers to it.
  virtual bool DeleteDefinition(const ProcessGuid& guid, const DefinitionKey& key) = 0;
  struct Told {
    std::int64_t sequence = 0;
    std::string kind;
  };
  // As a reader gets them that has seen all up to a sequence.
  virtual std::vector<Told> EventsAfter(std::int64_t sequence) = 0;
  // A transaction that has written an event of this kind; commits when it is told to.
  virtual std::function<void()> BeginEvent(const std::string& kind) = 0;
  // The next leader is elected, unknown to the store. False: somebody writes in the present epoch, it would wait.
  virtual bool Elect() = 0;

  // Submits and waits.
  Status Do(TestCall call);
  Status Do(const ProcessGuid& guid, const std::function<Status(AppEdit&)>& decide);

  void OnCommitted(const Committed& committed) override;
  int commits() const { return commits_; }

 private:
  int commits_ = 0;
};

struct HarnessKind {
  std::string name;
  std::function<std::unique_ptr<StoreHarness>()> make;
};
inline void PrintTo(const HarnessKind& kind, std::ostream* out) { *out << kind.name; }  // for GoogleTest
HarnessKind FakeHarness();
HarnessKind PostgresHarness();

}  // namespace baton
