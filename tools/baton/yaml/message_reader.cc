#include "tools/baton/yaml/message_reader.h"

#include "baton/v2/desired_lrp.pb.h"
#include "orchestrator/wire/secrets/sensitive.h"
#include "tools/baton/files/app_routes.h"
#include "tools/baton/files/hidden.h"
#include "tools/baton/yaml/amounts.h"
#include "tools/baton/yaml/scalars.h"

namespace baton::cli {
namespace {

using google::protobuf::Descriptor;

bool Is(const google::protobuf::Message& message, const Descriptor* type) { return message.GetDescriptor() == type; }

// The program and its arguments: a list of words, or a line for the shell.
void ReadCommand(const YamlCursor& at, v1::RunAction& run) {
  const std::string expected = "a list of PATH and arguments, or a line for /bin/sh -c";
  run.clear_args();
  if (at.IsText()) {
    run.set_path("/bin/sh");
    run.add_args("-c");
    run.add_args(at.Text(expected));
    return;
  }
  const auto words = at.Items(expected);
  if (words.empty()) at.Fail("expected " + expected + ", found an empty list");
  run.set_path(words[0].Text("a path"));
  for (std::size_t i = 1; i < words.size(); ++i) run.add_args(words[i].IsNull() ? kKeep : words[i].Text("a text"));
}

// Exactly one field of an action and of a check says which it is. A tag's value may be the empty text.
void CheckOne(const YamlCursor& at, const google::protobuf::Message& message) {
  if (!Is(message, v1::Action::descriptor()) && !Is(message, v1::Check::descriptor()) &&
      !Is(message, v1::MetricTagValue::descriptor())) {
    return;
  }
  std::vector<const google::protobuf::FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  const bool empty_tag = Is(message, v1::MetricTagValue::descriptor()) && set.empty() && at.Entries("a map").size() == 1;
  if (set.size() == 1 || empty_tag) return;
  std::string keys;
  for (const std::string& key : KeysOf(*message.GetDescriptor())) keys += (keys.empty() ? "" : ", ") + key;
  at.Fail("takes exactly one of " + keys);
}

}  // namespace

void MessageReader::Read(const YamlCursor& at, Message& message) {
  if (ReadShort(at, message)) return;
  for (const YamlCursor::Entry& entry : at.Entries("a map")) ReadKey(entry, message);
  if (origin_ == Origin::kWritten) CheckOne(at, message);
  MarkLeftOut(message);
}

// What may stand for a whole message without being a map of its fields.
bool MessageReader::ReadShort(const YamlCursor& at, Message& message) {
  if (auto* routes = dynamic_cast<v1::ProtoRoutes*>(&message)) return ReadRoutes(at, *routes), true;
  if (auto* amount = dynamic_cast<v2::IntOrPercent*>(&message); amount && !at.IsMap()) {
    const std::string expected = "a number, or a percentage as 25%";
    const auto value = ParseAmount(at.Text(expected));
    if (!value) at.FailExpected(expected);
    value->percent ? amount->set_percent(value->value) : amount->set_count(value->value);
    return true;
  }
  if (auto* tag = dynamic_cast<v1::MetricTagValue*>(&message); tag && at.IsText()) {
    tag->set_static_(at.Text("a text"));
    return true;
  }
  const bool several = Is(message, v1::SerialAction::descriptor()) || Is(message, v1::ParallelAction::descriptor()) ||
                       Is(message, v1::CodependentAction::descriptor());
  if (!several || !at.IsList()) return false;
  ReadField(at, *message.GetDescriptor()->FindFieldByName("actions"), Reading::kPlain, message);
  return true;
}

void MessageReader::ReadKey(const YamlCursor::Entry& entry, Message& message) {
  auto* action = dynamic_cast<v1::Action*>(&message);
  auto* run = dynamic_cast<v1::RunAction*>(&message);
  if (entry.key == "command" && (action || run)) {
    v1::RunAction& target = action ? *action->mutable_run_action() : *run;
    if (!target.path().empty()) entry.at_key.Fail("a path is given too: write one of the two");
    return ReadCommand(entry.value, target);
  }
  const Meaning meaning = MeaningOf(*message.GetDescriptor(), entry.key);
  if (meaning.way.empty()) entry.at_key.Fail("unknown key; " + Suggest(*message.GetDescriptor(), entry.key));
  const Field& field = *meaning.way.back();
  if (origin_ == Origin::kExported && IsSetByServer(field)) return;
  if (const auto why = WhyNotGiven(field); !why.empty()) entry.at_key.Fail(std::string(why));
  Message* holder = &message;
  for (std::size_t i = 0; i + 1 < meaning.way.size(); ++i) {
    holder = holder->GetReflection()->MutableMessage(holder, meaning.way[i]);
  }
  if (run && field.name() == "path" && !run->path().empty()) {
    entry.at_key.Fail("a command is given too: write one of the two");
  }
  const auto* one_of = field.real_containing_oneof();
  const bool another = one_of && holder->GetReflection()->HasOneof(*holder, one_of);
  if (another || !given_.insert({holder, &field}).second) entry.at_key.Fail("is given already, under another name");
  ReadField(entry.value, field, meaning.reading, *holder);
}

void MessageReader::ReadField(const YamlCursor& at, const Field& field, Reading reading, Message& message) {
  const auto* reflection = message.GetReflection();
  const bool is_message = field.cpp_type() == Field::CPPTYPE_MESSAGE;
  if (field.is_map()) return ReadMap(at, field, message);
  if (!field.is_repeated()) {
    is_message ? Read(at, *reflection->MutableMessage(&message, &field)) : ReadScalar(at, field, reading, message);
    return;
  }
  if (ReadShortList(at, field, message)) return;
  if (wire::IsSecret(field) && at.IsNull()) return reflection->AddString(&message, &field, kKeepList);
  for (const YamlCursor& item : at.Items("a list")) {
    is_message ? Read(item, *reflection->AddMessage(&message, &field)) : ReadScalar(item, field, reading, message);
  }
}

// Variables and files by name: the order of the file is kept.
bool MessageReader::ReadShortList(const YamlCursor& at, const Field& field, Message& message) {
  const Descriptor* type = field.message_type();
  const bool variable = type == v1::EnvironmentVariable::descriptor();
  if ((!variable && type != v1::File::descriptor()) || !at.IsMap()) return false;
  for (const YamlCursor::Entry& entry : at.Entries("a map")) {
    Message* added = message.GetReflection()->AddMessage(&message, &field);
    added->GetReflection()->SetString(added, type->FindFieldByName(variable ? "name" : "path"), entry.key);
    ReadScalar(entry.value, *type->FindFieldByName(variable ? "value" : "content"), Reading::kPlain, *added);
  }
  return true;
}

void MessageReader::ReadMap(const YamlCursor& at, const Field& field, Message& message) {
  const Descriptor* type = field.message_type();
  const Field* value = type->map_value();
  for (const YamlCursor::Entry& entry : at.Entries("a map")) {
    Message* added = message.GetReflection()->AddMessage(&message, &field);
    added->GetReflection()->SetString(added, type->map_key(), entry.key);
    ReadField(entry.value, *value, Reading::kPlain, *added);
  }
}

void MessageReader::ReadScalar(const YamlCursor& at, const Field& field, Reading reading, Message& message) {
  const auto* reflection = message.GetReflection();
  const bool secret = wire::IsSecret(field);
  if (secret && at.IsNull()) {
    return field.is_repeated() ? reflection->AddString(&message, &field, kKeep) : reflection->SetString(&message, &field, kKeep);
  }
  if (secret && at.IsText() && at.Text("a text") == kRedacted) {
    at.Fail("this value was hidden when it was exported: leave it out to keep what is stored, or give it");
  }
  SetScalar(at, field, reading, message);
}

void MessageReader::MarkLeftOut(Message& message) {
  const auto* app = dynamic_cast<const v2::DesiredLRP*>(&message);
  if (app && app->image_username().empty()) return;  // it has no credentials then
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const Field& field = *message.GetDescriptor()->field(i);
    if (!StaysWhereLeftOut(field) || BelongsToTheApp(field) || given_.contains({&message, &field})) continue;
    message.GetReflection()->SetString(&message, &field, kKeepIfAny);
  }
}

}  // namespace baton::cli
