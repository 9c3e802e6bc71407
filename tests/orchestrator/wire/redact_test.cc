#include "orchestrator/wire/secrets/redact.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <set>

#include "baton/v2/event.pb.h"
#include "tests/orchestrator/wire/full_definition.h"

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using ::testing::HasSubstr;
using ::testing::Not;

// Every text of the app is made a secret of its own; what redaction leaves must be known to be none.
TEST(Redact, LeavesOnlyTextsThatAreKnownToBeNoSecrets) {
  v2::DesiredLRP app = FullApp();
  std::set<std::string> left;
  ForEachValue(app, [&](Message& holder, const FieldDescriptor& field) {
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING && !field.is_repeated() &&
        !field.containing_type()->options().map_entry()) {
      holder.GetReflection()->SetString(&holder, &field, "s3cr3t");
    }
  });
  Redact(app);
  ForEachValue(app, [&](Message& holder, const FieldDescriptor& field) {
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_STRING || field.is_repeated()) return;
    if (holder.GetReflection()->GetString(holder, &field) == "s3cr3t") left.insert(field.full_name());
  });
  for (const char* word : {"password", "EnvironmentVariable.value", "File.content", "_config", "annotation"}) {
    for (const std::string& name : left) EXPECT_THAT(name, Not(HasSubstr(word)));
  }
  EXPECT_THAT(app.DebugString(), HasSubstr("<redacted>"));
}

// B21: pre-signed URLs and those with a password stood in every answer.
TEST(Redact, AUrlIsHiddenWhereItHasAUserAQueryOrAFragment) {
  const auto shown = [](const std::string& url) {
    v2::LRPDefinition definition;
    definition.mutable_run_info()->add_cached_dependencies()->set_from(url);
    Redact(definition);
    return definition.run_info().cached_dependencies(0).from();
  };
  for (const char* plain : {"", "https://blobs.example/a/b.tgz", "http://10.0.0.1:8080/x@y", "file:///cache/a.zip", "a/b@c"}) {
    EXPECT_EQ(shown(plain), plain);
  }
  for (const char* secret : {"https://me:pw@blobs.example/a.tgz", "https://token@blobs.example", "//me@host/a", "me:pw@blobs.example/a.tgz",
                             "https://blobs.example/a.tgz?signature=x", "https://blobs.example/a#token"}) {
    EXPECT_EQ(shown(secret), "<redacted>") << secret;
  }
}

// Arguments, the annotation, and what routers of their own keep there stood in every answer.
TEST(Redact, ArgumentsAreHiddenOneByOneAndRoutersThatNobodyKnowsByName) {
  v2::DesiredLRP app = FullApp();
  app.set_annotation("s3cr3t");
  (*app.mutable_routes()->mutable_routes())["diego-ssh"] = "s3cr3t";
  auto& run = *app.mutable_definition()->mutable_run_info()->mutable_setup()->mutable_run_action();
  run.clear_args();
  for (const char* one : {"-p", "", "s3cr3t"}) run.add_args(one);
  EXPECT_TRUE(Redact(app));
  EXPECT_EQ(app.annotation(), "<redacted>");
  EXPECT_THAT(app.definition().run_info().setup().run_action().args(),
              ::testing::ElementsAre("<redacted>", "", "<redacted>"));
  EXPECT_EQ(app.routes().routes().at("diego-ssh"), "<redacted>");
  EXPECT_THAT(app.routes().routes().at("cf-router"), HasSubstr("full.example"));
  EXPECT_THAT(app.DebugString(), Not(HasSubstr("s3cr3t")));
}

TEST(Redact, WhatAnAppWroteBeforeItCrashedIsCutOffUnlessItMayBeShown) {
  v2::Event event;
  event.mutable_actual_after()->set_crash_reason("exit status 1\npassword is s3cr3t\n");
  event.mutable_step()->set_text("exit status 1\ns3cr3t");
  event.mutable_desired_after()->set_annotation("book");
  v2::Event whole = event;
  EXPECT_TRUE(Redact(whole, Show::kLastWords)) << "the annotation";
  EXPECT_EQ(whole.actual_after().crash_reason(), event.actual_after().crash_reason());
  EXPECT_EQ(whole.desired_after().annotation(), "<redacted>");
  EXPECT_FALSE(Redact(event, Show::kAll));
  EXPECT_TRUE(Redact(event));
  EXPECT_EQ(event.actual_after().crash_reason(), "exit status 1");
  EXPECT_EQ(event.step().text(), "exit status 1");
}

TEST(Redact, AnEmptySecretStaysEmpty) {
  v2::DesiredLRP app;
  app.mutable_definition()->mutable_run_info()->add_environment_variables()->set_name("A");
  Redact(app);
  EXPECT_EQ(app.definition().run_info().environment_variables(0).value(), "");
  EXPECT_EQ(app.image_password(), "");
}

}  // namespace
}  // namespace baton::wire
