// A process that leads: its upgrade, and a store whose writes pass the same gate, as the service wires them.
#pragma once

#include <future>

#include "orchestrator/app/apps/update.h"
#include "sql/store/pg_store.h"
#include "tests/fakes/test_call.h"
#include "tests/upgrade/journey.h"

namespace baton::testing {

class WritingProcess {
 public:
  explicit WritingProcess(const std::string& url) : leads(url), store_({.url = url, .gate = &leads.gate()}, log_, [] {}) {}
  ~WritingProcess() { store_.Stop(); }

  Status Lead() {
    const Status led = leads.Lead();
    store_.Lead(leads.leadership());
    store_.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
    return led;
  }
  // Once; UNAVAILABLE while writes are stopped.
  Status Annotate(const ProcessGuid& app, const std::string& annotation) {
    std::promise<Status> answer;
    TestCall call{{.name = "annotate", .guid = app}};
    call.actor = "test";
    call.decide = [annotation](AppEdit& edit) {
      UpdateRequest request;
      request.annotation = annotation;
      request.accept_unroutable = true;
      return DecideUpdate(edit, request);
    };
    call.done = [&answer](const Status& status) { answer.set_value(status); };
    store_.Submit(std::move(call));
    return answer.get_future().get();
  }

  LeadingProcess leads;

 private:
  SilentLog log_;
  PgStore store_;
};

// Another program that writes an app of 1.x, in one statement, if 1.x counts: whether it was committed.
inline bool SomebodyScales(const std::string& url, const std::string& app, int instances) {
  const auto session = Session::Open(url);
  if (!session) return false;
  bool written = false;
  const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SET LOCAL lock_timeout = '100ms'");
    written = !s.RunScript("UPDATE legacy.desired_lrps SET instances = " + std::to_string(instances) +
                           ", modification_tag_index = modification_tag_index + 1 WHERE process_guid = '" + app +
                           "' AND (SELECT current FROM versions) = 2 RETURNING 1")
                   .empty();
    return true;
  });
  return error.ok() && written;
}

}  // namespace baton::testing
