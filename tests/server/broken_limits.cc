#include "tests/server/broken_limits.h"

#include <functional>
#include <set>

#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/base/check.h"
#include "orchestrator/wire/limits/field_limits.h"

namespace baton {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MessageFactory;
using google::protobuf::Reflection;

bool IsMessage(const FieldDescriptor& field) { return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE; }

std::string GoodText(const v1::Limits& limits) {
  if (limits.words_size() > 0) return limits.words(0);
  switch (limits.kind()) {
    case v1::Limits::URL: return "host:";
    case v1::Limits::HTTP_URL: return "http://judge.example";
    case v1::Limits::ABSOLUTE_PATH: return "/a";
    case v1::Limits::DESTINATION: return "10.0.0.0/8";
    default: return "a";
  }
}

// Empty: there is none.
std::string BadText(v1::Limits::Kind kind) {
  switch (kind) {
    case v1::Limits::NAME: return "a b";
    case v1::Limits::LINE: return "a\nb";
    case v1::Limits::PRINTABLE: return "a\tb";
    case v1::Limits::URL: return "no-scheme";
    case v1::Limits::HTTP_URL: return "http://";
    case v1::Limits::ABSOLUTE_PATH: return "relative/path";
    case v1::Limits::PATH_BELOW: return "/a/../../b";
    case v1::Limits::VARIABLE: return "A=B";
    case v1::Limits::DESTINATION: return "10.0.0.9-10.0.0.1";
    default: return "";
  }
}

void SetNumber(Message& message, const FieldDescriptor& field, std::int64_t value, bool add) {
  const Reflection& r = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return add ? r.AddInt32(&message, &field, static_cast<std::int32_t>(value))
                 : r.SetInt32(&message, &field, static_cast<std::int32_t>(value));
    case FieldDescriptor::CPPTYPE_INT64:
      return add ? r.AddInt64(&message, &field, value) : r.SetInt64(&message, &field, value);
    case FieldDescriptor::CPPTYPE_UINT32:
      return add ? r.AddUInt32(&message, &field, static_cast<std::uint32_t>(value))
                 : r.SetUInt32(&message, &field, static_cast<std::uint32_t>(value));
    case FieldDescriptor::CPPTYPE_UINT64:
      return add ? r.AddUInt64(&message, &field, static_cast<std::uint64_t>(value))
                 : r.SetUInt64(&message, &field, static_cast<std::uint64_t>(value));
    default: CHECK(false);  // no other field has a range
  }
}

void MakeValid(Message& message);

// Of a list: one more. `number` makes entries of a list differ.
void SetValid(Message& message, const FieldDescriptor& field, int number = 0) {
  const Reflection& r = *message.GetReflection();
  const v1::Limits& limits = wire::LimitsOf(field);
  if (field.is_map()) {
    Message& entry = *r.AddMessage(&message, &field);
    const FieldDescriptor& value = *field.message_type()->map_value();
    entry.GetReflection()->SetString(&entry, field.message_type()->map_key(), "k" + std::to_string(number));
    if (!IsMessage(value)) return;
    Message& inner = *entry.GetReflection()->MutableMessage(&entry, &value);
    MakeValid(inner);
    if (limits.exactly_one()) SetValid(inner, *value.message_type()->field(0));
  } else if (IsMessage(field)) {
    Message& inner = field.is_repeated() ? *r.AddMessage(&message, &field) : *r.MutableMessage(&message, &field);
    MakeValid(inner);
    if (limits.exactly_one()) SetValid(inner, *field.message_type()->field(0));
    if (limits.exactly_one() && limits.has_min())
      SetNumber(inner, *field.message_type()->field(0), limits.min(), false);
  } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    field.is_repeated() ? r.AddString(&message, &field, GoodText(limits))
                        : r.SetString(&message, &field, GoodText(limits));
  } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
    r.SetEnumValue(&message, &field, 1);
  } else {
    SetNumber(message, field, (limits.has_min() ? limits.min() : 0) + number, field.is_repeated());
  }
}

// What is required, and what rules between fields ask for.
void MakeValid(Message& message) {
  const Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const v1::Limits& limits = wire::LimitsOf(*type.field(i));
    const bool zero_breaks = limits.min() > 0 && !limits.or_zero() && !type.field(i)->has_presence();
    if (limits.required() || (zero_breaks && !type.field(i)->is_repeated())) SetValid(message, *type.field(i));
  }
  if (auto* rule = dynamic_cast<v1::SecurityGroupRule*>(&message)) rule->add_ports(80);
  if (auto* run = dynamic_cast<v1::DesiredLRPRunInfo*>(&message)) run->add_ports(1);  // of checks, which take it
  if (auto* mount = dynamic_cast<v1::VolumeMount*>(&message)) mount->mutable_shared()->set_volume_id("v");
  if (auto* timeout = dynamic_cast<v1::TimeoutAction*>(&message)) timeout->set_timeout_ms(1);
  if (auto* stage = dynamic_cast<v2::Stage*>(&message)) stage->set_promotion(true);
  if (auto* plan = dynamic_cast<v2::PlanUpdateRequest*>(&message)) plan->set_process_guid("a");
}

using Spoil = std::function<void(Message&)>;
struct Breach {
  std::string limit;
  Spoil spoil;  // the message that has the field
};

void AddText(std::vector<Breach>& ways, const FieldDescriptor& field, std::string limit, std::string text) {
  ways.push_back({std::move(limit), [&field, text = std::move(text)](Message& m) {
                    const Reflection& r = *m.GetReflection();
                    field.is_repeated() ? r.AddString(&m, &field, text) : r.SetString(&m, &field, text);
                  }});
}

void AddRange(std::vector<Breach>& ways, const FieldDescriptor& field, std::string limit, std::int64_t value) {
  ways.push_back({std::move(limit), [&field, value](Message& m) {
                    if (!IsMessage(field)) return SetNumber(m, field, value, field.is_repeated());
                    Message& inner = *m.GetReflection()->MutableMessage(&m, &field);
                    inner.Clear();
                    SetNumber(inner, *field.message_type()->field(0), value, false);
                  }});
}

void AddOneOf(std::vector<Breach>& ways, const FieldDescriptor& field) {
  const auto inner = [&field](Message& m) -> Message& {
    const Reflection& r = *m.GetReflection();
    r.ClearField(&m, &field);
    if (!field.is_repeated()) return *r.MutableMessage(&m, &field);
    Message& entry = *r.AddMessage(&m, &field);
    if (!field.is_map()) return entry;
    return *entry.GetReflection()->MutableMessage(&entry, field.message_type()->map_value());
  };
  ways.push_back({"exactly_one: none", [inner](Message& m) { inner(m); }});
  const Descriptor& type = field.is_map() ? *field.message_type()->map_value()->message_type() : *field.message_type();
  if (type.real_oneof_decl_count() > 0) return;  // two cannot be said
  ways.push_back({"exactly_one: two", [inner, &type](Message& m) {
                    Message& one = inner(m);
                    SetValid(one, *type.field(0));
                    SetValid(one, *type.field(1));
                  }});
}

std::vector<Breach> WaysToBreak(const FieldDescriptor& field, bool partial) {
  const v1::Limits& limits = wire::LimitsOf(field);
  std::vector<Breach> ways;
  const auto clear = [&field](Message& m) { m.GetReflection()->ClearField(&m, &field); };
  if (limits.has_min()) AddRange(ways, field, "min", limits.min() - 1);
  if (limits.has_max()) AddRange(ways, field, "max", limits.max() + 1);
  if (limits.required() && !partial) ways.push_back({"required", clear});
  if (limits.none_empty()) AddText(ways, field, "none_empty", "");
  if (limits.has_max_bytes())
    AddText(ways, field, "max_bytes", GoodText(limits) + std::string(limits.max_bytes(), 'a'));
  if (limits.kind() == v1::Limits::NAME && !field.is_map()) AddText(ways, field, "name's bytes", std::string(256, 'a'));
  if (const std::string bad = BadText(limits.kind()); !bad.empty() && !field.is_map())
    AddText(ways, field, "kind", bad);
  if (field.is_map() && limits.kind() == v1::Limits::NAME) {
    ways.push_back({"key", [&field](Message& m) {
                      Message& entry = *m.GetReflection()->AddMessage(&m, &field);
                      entry.GetReflection()->SetString(&entry, field.message_type()->map_key(), "a b");
                    }});
  }
  if (limits.words_size() > 0) AddText(ways, field, "words", "bogus");
  if (limits.exactly_one()) AddOneOf(ways, field);
  if (limits.has_max_items()) {
    ways.push_back({"max_items", [&field, clear, most = static_cast<int>(limits.max_items())](Message& m) {
                      clear(m);
                      for (int i = 0; i <= most; ++i) SetValid(m, field, i);
                    }});
  }
  if (limits.distinct()) {
    ways.push_back({"distinct", [&field](Message& m) {
                      SetValid(m, field, 7);
                      SetValid(m, field, 7);
                    }});
  }
  return ways;
}

class Breaker {
 public:
  explicit Breaker(const Descriptor& type) : type_(type) {}

  std::vector<BrokenLimit> All() && {
    Visit(type_, /*partial=*/false);
    return std::move(all_);
  }

 private:
  // Each kind of message once, by the first way that leads to it.
  void Visit(const Descriptor& type, bool partial) {
    if (!seen_.insert(&type).second) return;
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      for (const Breach& way : WaysToBreak(field, partial)) Break(field, way);
      if (!IsMessage(field) || (field.is_map() && !IsMessage(*field.message_type()->map_value()))) continue;
      way_.push_back(&field);
      Visit(field.is_map() ? *field.message_type()->map_value()->message_type() : *field.message_type(),
            wire::LimitsOf(field).partial());
      way_.pop_back();
    }
  }

  void Break(const FieldDescriptor& field, const Breach& way) {
    auto request = ValidRequest(type_);
    Message* at = request.get();
    for (const FieldDescriptor* step : way_) at = &Enter(*at, *step);
    way.spoil(*at);
    all_.push_back({field.full_name(), way.limit, std::move(request)});
  }

  // The message behind a field, valid but for what is done to it later, and the only one where one is allowed.
  static Message& Enter(Message& from, const FieldDescriptor& step) {
    const Reflection& r = *from.GetReflection();
    if (Chooses(*from.GetDescriptor())) from.Clear();
    const bool there = !step.is_repeated() && r.HasField(from, &step);
    if (!there) SetValid(from, step);
    if (!step.is_repeated()) return *r.MutableMessage(&from, &step);
    Message& last = *r.MutableRepeatedMessage(&from, &step, r.FieldSize(from, &step) - 1);
    if (!step.is_map()) return last;
    return *last.GetReflection()->MutableMessage(&last, step.message_type()->map_value());
  }

  static bool Chooses(const Descriptor& type) {
    return &type == v1::Action::descriptor() || &type == v1::Check::descriptor();
  }

  const Descriptor& type_;
  std::set<const Descriptor*> seen_;
  std::vector<const FieldDescriptor*> way_;
  std::vector<BrokenLimit> all_;
};

}  // namespace

std::unique_ptr<Message> ValidRequest(const Descriptor& type) {
  std::unique_ptr<Message> request(MessageFactory::generated_factory()->GetPrototype(&type)->New());
  MakeValid(*request);
  return request;
}

std::vector<BrokenLimit> BreakAll(const Descriptor& type) { return Breaker(type).All(); }

}  // namespace baton
