// Which field of a message a key of an app file means: by the field's own name, or by one of the short ones.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>
#include <vector>

namespace baton::cli {

// How a scalar is read.
enum class Reading {
  kPlain,
  kMebibytes,     // "256MiB" for a field that ends in _mb
  kMilliseconds,  // "10s" for a field that ends in _ms
};

struct Meaning {
  // The last one is the field; those before it are the messages on the way to it. Empty: nothing is called so.
  std::vector<const google::protobuf::FieldDescriptor*> way;
  Reading reading = Reading::kPlain;
};

// A field F of `message` is called F, or by its JSON name; without its _mb or _ms it takes a size or a duration.
// Besides: guid (process_guid), identifier (definition_identifier), env, check, liveness, readiness; an action and a
// check without their _action and _check; and in a definition everything of its resource and its run info.
Meaning MeaningOf(const google::protobuf::Descriptor& message, std::string_view key);

// Why the field cannot be given in a file; empty: it can.
std::string_view WhyNotGiven(const google::protobuf::FieldDescriptor& field);
// The two kinds of these: what a definition's run info leaves to the app, and what answers alone have.
bool BelongsToTheApp(const google::protobuf::FieldDescriptor& field);
bool IsSetByServer(const google::protobuf::FieldDescriptor& field);

// The keys that `message` takes, as people should write them, sorted.
std::vector<std::string> KeysOf(const google::protobuf::Descriptor& message);

// "did you mean ...?", or all keys where none is near.
std::string Suggest(const google::protobuf::Descriptor& message, std::string_view key);

}  // namespace baton::cli
