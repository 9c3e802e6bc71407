#include "tools/baton/files/hidden.h"

#include <google/protobuf/message.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "orchestrator/model/fleet/shown_routers.h"
#include "orchestrator/wire/secrets/sensitive.h"

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

bool IsMark(const std::string& text) { return text == kKeep || text == kKeepIfAny || text == kKeepList; }

// Routes have their own rules: no name of a router is hidden.
bool IsSecretText(const FieldDescriptor& field) { return wire::IsSecret(field) && !field.is_map(); }
bool IsSecretValue(const FieldDescriptor& field, const std::string& value) {
  return wire::IsSecretValue(wire::SensitivityOf(field), value);
}

std::vector<std::string> TextsOf(const Message& message, const FieldDescriptor& field) {
  const auto* reflection = message.GetReflection();
  if (!field.is_repeated()) return {reflection->GetString(message, &field)};
  std::vector<std::string> texts;
  for (int i = 0; i < reflection->FieldSize(message, &field); ++i) texts.push_back(reflection->GetRepeatedString(message, &field, i));
  return texts;
}

// What of an element's secrets is looked at where its equal is sought: lists that a file gives in full tell it from others.
enum class Lists { kCleared, kKept };

void ClearSecrets(Message& message, Lists lists) {
  const auto* reflection = message.GetReflection();
  for (const FieldDescriptor* field : SetFields(message)) {
    if (IsSecretText(*field)) {
      if (field->is_repeated() && lists == Lists::kKept) continue;
      const bool secret = std::ranges::any_of(TextsOf(message, *field), [&](const std::string& value) {
        return IsMark(value) || IsSecretValue(*field, value);
      });
      if (secret || field->is_repeated()) reflection->ClearField(&message, field);
    } else if (field->is_map()) {
      continue;
    } else if (IsMessage(*field) && field->is_repeated()) {
      for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
        ClearSecrets(*reflection->MutableRepeatedMessage(&message, field, i), lists);
      }
    } else if (IsMessage(*field)) {
      ClearSecrets(*reflection->MutableMessage(&message, field), lists);
    }
  }
}

// Everything but the secrets. No message that holds one has a map, whose order in the bytes might be any.
std::string Shown(const Message& message, Lists lists) {
  const std::unique_ptr<Message> copy(message.New());
  copy->CopyFrom(message);
  ClearSecrets(*copy, lists);
  return copy->SerializeAsString();
}

std::vector<std::string> ShownOf(const Elements& elements, Lists lists) {
  std::vector<std::string> shown;
  for (const Message* element : elements) shown.push_back(Shown(*element, lists));
  return shown;
}

// Whether a secret that is set is one of those.
template <class Predicate>
bool AnySecret(const Message& message, const Predicate& is) {
  const auto* reflection = message.GetReflection();
  return std::ranges::any_of(SetFields(message), [&](const FieldDescriptor* field) {
    if (IsSecretText(*field)) {
      return std::ranges::any_of(TextsOf(message, *field), [&](const std::string& value) { return is(*field, value); });
    }
    if (!IsMessage(*field) || field->is_map()) return false;
    if (!field->is_repeated()) return AnySecret(reflection->GetMessage(message, field), is);
    return std::ranges::any_of(ElementsOf(&message, *field), [&](const Message* one) { return AnySecret(*one, is); });
  });
}
bool HasMarks(const Message& message) {
  return AnySecret(message, [](const FieldDescriptor&, const std::string& value) { return IsMark(value); });
}
bool HasListMarks(const Message& message) {
  return AnySecret(message, [](const FieldDescriptor& field, const std::string& value) { return field.is_repeated() && IsMark(value); });
}
bool HasSecrets(const Message& message) {
  return AnySecret(message, [](const FieldDescriptor& field, const std::string& value) { return IsSecretValue(field, value); });
}

// What tells an element of such a list from the others. Of a list without names all elements have the same, and of
// volumes those of one device.
std::string NameOf(const Message& element) {
  if (const auto* variable = dynamic_cast<const v1::EnvironmentVariable*>(&element)) return variable->name();
  if (const auto* file = dynamic_cast<const v1::File*>(&element)) return file->path();
  const auto* volume = dynamic_cast<const v1::VolumeMount*>(&element);
  if (!volume) return "";
  const std::string& device = volume->has_shared() ? volume->shared().volume_id() : volume->dedicated().mounter_id();
  return volume->driver() + '\0' + device;
}

// With the places in the whole list.
struct Group {
  std::vector<std::size_t> places;
  Elements mine;
  Elements stored;
};

std::map<std::string, Group> ByName(const Elements& mine, const Elements& stored) {
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    Group& group = groups[NameOf(*mine[i])];
    group.places.push_back(i);
    group.mine.push_back(mine[i]);
  }
  for (const Message* one : stored) groups[NameOf(*one)].stored.push_back(one);
  return groups;
}

// Pairs entries by name. A merely likely pair could pass a secret to another recipient.
void PairByContent(const Group& group, const std::string& where, Elements& pairs) {
  const auto& [places, mine, stored] = group;
  const bool same_size = mine.size() == stored.size();
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (!HasMarks(*mine[i])) continue;
    const Lists lists = HasListMarks(*mine[i]) ? Lists::kCleared : Lists::kKept;
    const auto wanted = ShownOf(mine, lists), there = ShownOf(stored, lists);
    Elements equal;
    for (std::size_t j = 0; j < stored.size(); ++j) {
      if (there[j] == wanted[i]) equal.push_back(stored[j]);
    }
    if (same_size && there[i] == wanted[i]) equal = {stored[i]};
    for (const Message* other : equal) {
      if (other->SerializeAsString() == equal.front()->SerializeAsString()) continue;
      throw Fault(where + "[" + std::to_string(places[i]) +
                  "]: a hidden value is left out, and several that are stored look like this: give it");
    }
    const bool in_place = equal.empty() && same_size && std::ranges::find(wanted, there[i]) == wanted.end();
    if (in_place) equal = {stored[i]};
    if (!equal.empty()) pairs[places[i]] = equal.front();
  }
}

// Many volumes need none.
bool MayBeMissing(const FieldDescriptor& field) {
  return field.name() == "mount_config" || field.name() == "device_config";
}

// The stored message that one of the file belongs to.
struct Stored {
  const Message* message = nullptr;  // nullptr: none
  bool loses_nothing = true;         // of none: nothing beside it that is stored has a secret, which it could be meant to have
};

void KeepSecret(const Stored& stored, const FieldDescriptor& field, const std::string& where, Message& message) {
  const auto* reflection = message.GetReflection();
  const std::string mark = reflection->GetString(message, &field);
  if (!IsMark(mark)) return;
  const auto* from = stored.message;
  if (!from && mark == kKeep) throw Fault(where + ": nothing is stored that could be kept: give it");
  if (!from && !(MayBeMissing(field) && stored.loses_nothing)) {
    throw Fault(where + ": it is left out, and nothing is stored that could be kept: give it, or '' for an empty one");
  }
  reflection->SetString(&message, &field, from ? from->GetReflection()->GetString(*from, &field) : "");
}

// Pairs list entries by index: if the lengths differ, the pairs are ambiguous.
void KeepSecrets(const Message* stored, const FieldDescriptor& field, const std::string& where, Message& message) {
  const auto* reflection = message.GetReflection();
  const std::vector<std::string> mine = TextsOf(message, field);
  if (std::ranges::none_of(mine, IsMark)) return;
  if (!stored) throw Fault(where + ": nothing is stored that could be kept: give it");
  const std::vector<std::string> theirs = TextsOf(*stored, field);
  const bool whole = mine.front() == kKeepList;
  if (!whole && theirs.size() != mine.size()) {
    throw Fault(where + ": hidden values are kept in a list that is as long as the stored one, of " + std::to_string(theirs.size()) +
                ": give all of them, or null for the whole list as it is stored");
  }
  reflection->ClearField(&message, &field);
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    reflection->AddString(&message, &field, whole || IsMark(mine[i]) ? theirs[i] : mine[i]);
  }
}

// Routes of routers that are not shown.
void KeepRoutes(const Message* stored, const std::string& where, v1::ProtoRoutes& routes) {
  const auto* from = dynamic_cast<const v1::ProtoRoutes*>(stored);
  for (auto& [router, payload] : *routes.mutable_routes()) {
    if (IsShownRouter(router) || payload != kKeep) continue;
    if (!from || !from->routes().contains(router)) {
      throw Fault(where + "." + router + ": nothing is stored that could be kept: give it");
    }
    payload = from->routes().at(router);
  }
}

void Keep(const Stored& stored, const std::string& path, Message& message);

void KeepInList(const Message* stored, const FieldDescriptor& field, const std::string& where, Message& message) {
  const Elements mine = ElementsOf(&message, field), theirs = ElementsOf(stored, field);
  Elements pairs(mine.size(), nullptr);
  for (const auto& [name, group] : ByName(mine, theirs)) PairByContent(group, where, pairs);
  const bool loses_nothing = std::ranges::none_of(theirs, [](const Message* one) { return HasSecrets(*one); });
  for (std::size_t i = 0; i < mine.size(); ++i) {
    Keep({pairs[i], loses_nothing}, where + "[" + std::to_string(i) + "]",
         *message.GetReflection()->MutableRepeatedMessage(&message, &field, static_cast<int>(i)));
  }
}

Stored Within(const Stored& stored, const FieldDescriptor& field) {
  if (!stored.message) return stored;
  const auto* reflection = stored.message->GetReflection();
  if (!reflection->HasField(*stored.message, &field)) return {nullptr, !HasSecrets(*stored.message)};
  return {&reflection->GetMessage(*stored.message, &field)};
}

void Keep(const Stored& stored, const std::string& path, Message& message) {
  const auto* reflection = message.GetReflection();
  if (auto* routes = dynamic_cast<v1::ProtoRoutes*>(&message)) return KeepRoutes(stored.message, path, *routes);
  for (const FieldDescriptor* field : SetFields(message)) {
    const std::string where = (path.empty() ? "" : path + ".") + field->name();
    if (IsSecretText(*field)) {
      field->is_repeated() ? KeepSecrets(stored.message, *field, where, message) : KeepSecret(stored, *field, where, message);
    } else if (!IsMessage(*field) || field->is_map()) {
      continue;  // no other map holds a secret
    } else if (field->is_repeated()) {
      KeepInList(stored.message, *field, where, message);
    } else {
      Keep(Within(stored, *field), where, *reflection->MutableMessage(&message, field));
    }
  }
}

}  // namespace

bool StaysWhereLeftOut(const FieldDescriptor& field) {
  return wire::SensitivityOf(field) == v2::VALUE && !field.is_repeated() && field.name() != "annotation";
}

Status KeepHidden(const v2::DesiredLRP* stored, v2::DesiredLRP& app) {
  const bool other_user = stored && IsMark(app.image_password()) && app.image_username() != stored->image_username();
  try {
    if (other_user) throw Fault("image_password: what is stored belongs to another image_username: give it");
    Keep({stored}, "", app);
  } catch (const Fault& fault) {
    return Error{ErrorKind::kInvalidArgument, fault.what(), {}};
  }
  return Done{};
}

}  // namespace baton::cli
