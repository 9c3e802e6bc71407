#include "orchestrator/wire/differences/changed_fields.h"

#include <google/protobuf/util/message_differencer.h>

#include <set>

#include "orchestrator/wire/differences/compare.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/values.h"

namespace baton::wire {
namespace {

using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using Path = std::vector<MessageDifferencer::SpecificField>;

class Names final : public MessageDifferencer::Reporter {
 public:
  Names(std::string prefix, std::vector<std::string>& names) : prefix_(std::move(prefix)), names_(names) {}

  void ReportAdded(const Message&, const Message&, const Path& path) override { Add(path); }
  void ReportDeleted(const Message&, const Message&, const Path& path) override { Add(path); }
  void ReportModified(const Message&, const Message&, const Path& path) override {
    // For a message, its differing fields are listed instead.
    const auto* field = path.back().field;
    if (field == nullptr || field->message_type() == nullptr || IsOne(path.back())) Add(path);
  }

 private:
  // Whether it is one thing to people: a list, a map, routes, a number or percentage.
  static bool IsOne(const MessageDifferencer::SpecificField& part) {
    const auto* type = part.field->message_type();
    return part.field->is_repeated() || type == v1::ProtoRoutes::descriptor() || type == v2::IntOrPercent::descriptor();
  }
  void Add(const Path& path) {
    std::string name = prefix_;
    for (const auto& part : path) {
      if (part.field == nullptr) break;  // a field that this version does not know
      if (!name.empty()) name += '.';
      name += part.field->name();
      if (IsOne(part)) break;
    }
    if (seen_.insert(name).second) names_.push_back(name);
  }

  const std::string prefix_;
  std::vector<std::string>& names_;
  std::set<std::string> seen_;
};

void AddNames(const Message& before, const Message& after, const std::string& prefix, std::vector<std::string>& names) {
  Names reporter(prefix, names);
  Compare(before, after, reporter);
}

// What a caller sets.
v2::DesiredLRP WishOf(const ProcessGuid& guid, const DesiredLrp& desired) {
  v2::DesiredLRP wish = ToMessage(guid, desired);
  wish.clear_modification_tag();
  wish.clear_incarnation();
  wish.clear_active_definition();
  wish.clear_healthy_definition();
  return wish;
}

// Most updates bring another definition, and nothing else.
bool WishTheSame(DesiredLrp before, const DesiredLrp& after) {
  before.tag = after.tag;
  before.incarnation = after.incarnation;
  before.active = after.active;
  before.healthy = after.healthy;
  return before == after;
}

void CompareDefinitions(const Definition& before, const Definition& after, std::vector<std::string>& names) {
  if (before.id == after.id) return;
  if (before.content_hash == after.content_hash) return names.push_back("definition.definition_identifier");
  names.push_back("definition");
  auto was = ToMessage(before, std::string());
  auto is = ToMessage(after, std::string());
  if (!was || !is) return;
  for (v2::LRPDefinition* one : {&was.value(), &is.value()}) {
    one->clear_definition_identifier();
    one->clear_content_hash();
  }
  AddNames(*was, *is, "definition", names);
}

}  // namespace

std::vector<std::string> ChangedFields(const std::optional<DesiredLrp>& before, const AppState& after) {
  std::vector<std::string> names;
  if (!before || !after.desired || *before == *after.desired) return names;
  if (!WishTheSame(*before, *after.desired)) AddNames(WishOf(after.guid, *before), WishOf(after.guid, *after.desired), "", names);
  if (before->image_password != after.desired->image_password) names.emplace_back("image_password");
  const auto was = after.definitions.find({before->incarnation, before->active});
  const auto is = after.definitions.find({after.desired->incarnation, after.desired->active});
  if (was != after.definitions.end() && is != after.definitions.end())
    CompareDefinitions(was->second, is->second, names);
  if (names.size() > kChangedFieldsMax) {
    names.resize(kChangedFieldsMax);
    names.emplace_back("...");
  }
  return names;
}

}  // namespace baton::wire
