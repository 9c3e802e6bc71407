// What baton-definitions is asked for.
#pragma once

#include <string>

#include "orchestrator/model/id.h"
#include "orchestrator/roll/rules/collect.h"

namespace baton::definitions {

struct DefinitionsOptions {
  // One of the two.
  std::string database;  // what libpq takes
  std::string embedded;  // directory of an embedded PostgreSQL
  bool database_insecure = false;  // `database` may be on another machine without TLS that proves who it is
  std::string keys;      // key file; empty: what is sealed stays so

  ProcessGuid app;     // empty: all
  std::string domain;  // empty: all; apps that are gone have none
  int history = kHistoryDefault;
  std::string output = "table";  // wide, json, yaml
  bool check = false;
  int page_apps = 200;  // a page of the snapshot: what is held in memory at a time

  // Of `show`; the guid is `app`.
  bool show = false;
  DefinitionId identifier;       // empty: the active one
  std::int64_t incarnation = 0;  // 0: the newest that has it
  bool reveal = false;
};

}  // namespace baton::definitions
