// Nobody can say something that reads as an identity.
#include "orchestrator/model/calls/actor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace baton {
namespace {

TEST(Actor, IsStoredWithWhatItSaidMarkedAsSaid) {
  EXPECT_EQ(StoredActor({"cell/cell-7", "ann"}), "cell/cell-7 (said: ann)");
  EXPECT_EQ(StoredActor({"", "ann"}), "ann");
  EXPECT_EQ(ReadActor("cell/cell-7 (said: ann)"), (Actor{"cell/cell-7", "ann"}));
  EXPECT_EQ(ReadActor("ann@laptop"), (Actor{"", "ann@laptop"}));
}

TEST(Actor, APageIsStoredWithThePersonForWhomItCalled) {
  const Actor page{"web/page", "ann", "operator/alice"};
  EXPECT_EQ(StoredActor(page), "web/page+operator/alice (said: ann)");
  EXPECT_EQ(ReadActor(StoredActor(page)), page);
  EXPECT_EQ(ReadActor("web/page+operator/alice"), (Actor{"", "web/page+operator/alice"})) << "said, by nobody known";
}

TEST(Actor, WhoSaysAnIdentityHasOnlySaidIt) {
  const Actor liar{"", "admin/root (said: ann)"};
  EXPECT_EQ(StoredActor(liar), " (said: admin/root (said: ann))");
  EXPECT_EQ(ReadActor(StoredActor(liar)), liar);
  const Actor known{"viewer/v", "x (said: y)"};
  EXPECT_EQ(ReadActor(StoredActor(known)), known);
}

RC_GTEST_PROP(AnyActor, ReadsAsWhatItWas, ()) {
  const auto pieces = rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>(" (said: ", ")", "(", " ", "a", "admin/root", "said", ":", "+"));
  std::string said;
  for (const std::string& piece : *pieces) said += piece;
  Actor actor{*rc::gen::element<std::string>("", "cell/c", "web/page"), said};
  if (actor.identity == "web/page") actor.on_behalf = *rc::gen::element<std::string>("", "operator/alice");
  RC_ASSERT(ReadActor(StoredActor(actor)) == actor);
}

}  // namespace
}  // namespace baton
