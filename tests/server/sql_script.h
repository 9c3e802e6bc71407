// What a test changes in a database behind batond's back.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/fakes/pg_fixture.h"

namespace baton {

inline void Sql(const std::string& url, const std::string& script) {
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted,
                                                        [&](Session& s) { return s.RunScript(script), true; });
  ASSERT_TRUE(error.ok()) << error.detail;
}

}  // namespace baton
