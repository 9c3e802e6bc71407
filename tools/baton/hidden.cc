#include "tools/baton/hidden.h"

#include <google/protobuf/message.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "orchestrator/model/secret_fields.h"

namespace baton::cli {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Elements = std::vector<const Message*>;

// Caught in KeepHidden.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::vector<const FieldDescriptor*> SetFields(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

bool IsMessage(const FieldDescriptor& field) { return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE; }

Elements ElementsOf(const Message* message, const FieldDescriptor& field) {
  Elements elements;
  for (int i = 0; message && i < message->GetReflection()->FieldSize(*message, &field); ++i) {
    elements.push_back(&message->GetReflection()->GetRepeatedMessage(*message, &field, i));
  }
  return elements;
}

void ClearSecrets(Message& message) {
  const auto* reflection = message.GetReflection();
  for (const FieldDescriptor* field : SetFields(message)) {
    if (IsSecretField(field->full_name())) {
      reflection->ClearField(&message, field);
    } else if (IsMessage(*field) && field->is_repeated()) {
      for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
        ClearSecrets(*reflection->MutableRepeatedMessage(&message, field, i));
      }
    } else if (IsMessage(*field)) {
      ClearSecrets(*reflection->MutableMessage(&message, field));
    }
  }
}

// Everything but the secrets. No message that holds one has a map, whose order in the bytes might be any.
std::string Shown(const Message& message) {
  const std::unique_ptr<Message> copy(message.New());
  copy->CopyFrom(message);
  ClearSecrets(*copy);
  return copy->SerializeAsString();
}

std::vector<std::string> ShownOf(const Elements& elements) {
  std::vector<std::string> shown;
  for (const Message* element : elements) shown.push_back(Shown(*element));
  return shown;
}

bool IsMark(const std::string& text) { return text == kKeep || text == kKeepIfAny; }

bool HasMarks(const Message& message) {
  const auto* reflection = message.GetReflection();
  return std::ranges::any_of(SetFields(message), [&](const FieldDescriptor* field) {
    if (IsSecretField(field->full_name())) return IsMark(reflection->GetString(message, field));
    if (!IsMessage(*field)) return false;
    if (!field->is_repeated()) return HasMarks(reflection->GetMessage(message, field));
    return std::ranges::any_of(ElementsOf(&message, *field), [](const Message* element) { return HasMarks(*element); });
  });
}

// What tells an element of such a list from the others; nothing: it has no name.
const FieldDescriptor* NameOf(const google::protobuf::Descriptor& type) {
  static const std::map<const google::protobuf::Descriptor*, const char*> kNames{
      {v1::EnvironmentVariable::descriptor(), "name"},
      {v1::File::descriptor(), "path"},
      {v1::VolumeMount::descriptor(), "container_dir"}};
  const auto name = kNames.find(&type);
  return name == kNames.end() ? nullptr : type.FindFieldByName(name->second);
}

// The n-th of a name belongs to the n-th of that name.
Elements PairsByName(const Elements& mine, const Elements& stored, const FieldDescriptor& name) {
  const auto name_of = [&name](const Message& one) { return one.GetReflection()->GetString(one, &name); };
  std::map<std::string, Elements> named;
  for (const Message* one : stored) named[name_of(*one)].push_back(one);
  std::map<std::string, std::size_t> seen;
  Elements pairs;
  for (const Message* one : mine) {
    const Elements& same = named[name_of(*one)];
    const std::size_t n = seen[name_of(*one)]++;
    pairs.push_back(n < same.size() ? same[n] : nullptr);
  }
  return pairs;
}

// Of a list without names. A pair that is only likely would give a secret to somebody whom it was not meant for.
Elements PairsByContent(const Elements& mine, const Elements& stored, const std::string& where) {
  const auto wanted = ShownOf(mine), there = ShownOf(stored);
  const bool same_size = mine.size() == stored.size();
  Elements pairs;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    pairs.push_back(nullptr);
    if (!HasMarks(*mine[i])) continue;
    Elements equal;
    for (std::size_t j = 0; j < stored.size(); ++j) {
      if (there[j] == wanted[i]) equal.push_back(stored[j]);
    }
    if (same_size && there[i] == wanted[i]) equal = {stored[i]};
    for (const Message* other : equal) {
      if (other->SerializeAsString() == equal.front()->SerializeAsString()) continue;
      throw Fault(where + "[" + std::to_string(i) +
                  "]: a hidden value is left out, and several that are stored look like this: give it");
    }
    const bool in_place = equal.empty() && same_size && std::ranges::find(wanted, there[i]) == wanted.end();
    if (in_place) equal = {stored[i]};
    if (!equal.empty()) pairs.back() = equal.front();
  }
  return pairs;
}

void KeepSecret(const Message* stored, const FieldDescriptor& field, const std::string& where, Message& message) {
  const auto* reflection = message.GetReflection();
  const std::string mark = reflection->GetString(message, &field);
  if (!IsMark(mark)) return;
  if (!stored && mark == kKeep) throw Fault(where + ": nothing is stored that could be kept: give it");
  reflection->SetString(&message, &field, stored ? stored->GetReflection()->GetString(*stored, &field) : "");
}

void Keep(const Message* stored, const std::string& path, Message& message);

void KeepInList(const Message* stored, const FieldDescriptor& field, const std::string& where, Message& message) {
  const Elements mine = ElementsOf(&message, field), theirs = ElementsOf(stored, field);
  const FieldDescriptor* name = NameOf(*field.message_type());
  const Elements pairs = name ? PairsByName(mine, theirs, *name) : PairsByContent(mine, theirs, where);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    Keep(pairs[i], where + "[" + std::to_string(i) + "]",
         *message.GetReflection()->MutableRepeatedMessage(&message, &field, static_cast<int>(i)));
  }
}

void Keep(const Message* stored, const std::string& path, Message& message) {
  const auto* reflection = message.GetReflection();
  for (const FieldDescriptor* field : SetFields(message)) {
    const std::string where = (path.empty() ? "" : path + ".") + field->name();
    if (IsSecretField(field->full_name())) {
      KeepSecret(stored, *field, where, message);
    } else if (!IsMessage(*field) || field->is_map()) {
      continue;  // no map holds a secret
    } else if (field->is_repeated()) {
      KeepInList(stored, *field, where, message);
    } else {
      const bool there = stored && stored->GetReflection()->HasField(*stored, field);
      Keep(there ? &stored->GetReflection()->GetMessage(*stored, field) : nullptr, where,
           *reflection->MutableMessage(&message, field));
    }
  }
}

}  // namespace

Status KeepHidden(const v2::DesiredLRP* stored, v2::DesiredLRP& app) {
  const bool other_user = stored && IsMark(app.image_password()) && app.image_username() != stored->image_username();
  try {
    if (other_user) throw Fault("image_password: what is stored belongs to another image_username: give it");
    Keep(stored, "", app);
  } catch (const Fault& fault) {
    return Error{ErrorKind::kInvalidArgument, fault.what(), {}};
  }
  return Done{};
}

}  // namespace baton::cli
