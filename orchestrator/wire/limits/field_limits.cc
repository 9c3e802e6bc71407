#include "orchestrator/wire/limits/field_limits.h"

#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>

#include "baton/v1/desired_lrp.pb.h"
#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/definitions_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/domains_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "baton/v2/routes_service.pb.h"
#include "orchestrator/wire/limits/limited_kind.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/limits/text_kinds.h"
#include "orchestrator/wire/secrets/sensitive.h"

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// What is wrong, behind the field's name: " is 0; it takes 1 to 65535". Empty: nothing.
using Fault = std::string;

// Who sends an answer back would store it: answers do not say what is in its place.
constexpr char kIsHidden[] = " is \"<redacted>\", which answers show in place of a secret; it takes the secret itself";

bool IsMessage(const FieldDescriptor& field) { return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE; }
bool IsNumber(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_UINT64: return true;
    default: return false;
  }
}

// `index` below 0: the field is no list.
std::int64_t NumberOf(const Message& message, const FieldDescriptor& field, int index) {
  const Reflection& r = *message.GetReflection();
  const bool list = index >= 0;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return list ? r.GetRepeatedInt32(message, &field, index) : r.GetInt32(message, &field);
    case FieldDescriptor::CPPTYPE_INT64:
      return list ? r.GetRepeatedInt64(message, &field, index) : r.GetInt64(message, &field);
    case FieldDescriptor::CPPTYPE_UINT32:
      return list ? r.GetRepeatedUInt32(message, &field, index) : r.GetUInt32(message, &field);
    default: {
      const std::uint64_t value = list ? r.GetRepeatedUInt64(message, &field, index) : r.GetUInt64(message, &field);
      return static_cast<std::int64_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max()));
    }
  }
}

std::string Grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::ptrdiff_t digits_from = number < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > digits_from; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

template <class Show>
std::string RangeWords(const v1::Limits& limits, Show show) {
  const std::string zero = limits.or_zero() ? "0, or " : "";
  if (limits.has_min() && limits.has_max()) return zero + show(limits.min()) + " to " + show(limits.max());
  return zero + (limits.has_min() ? show(limits.min()) + " at least" : show(limits.max()) + " at most");
}

Fault OfNumber(std::int64_t value, const v1::Limits& limits) {
  const bool low = limits.has_min() && value < limits.min();
  const bool high = limits.has_max() && value > limits.max();
  if ((!low && !high) || (limits.or_zero() && value == 0)) return {};
  return " is " + std::to_string(value) + "; it takes " +
         RangeWords(limits, [](std::int64_t number) { return std::to_string(number); });
}

std::string Joined(const google::protobuf::RepeatedPtrField<std::string>& words) {
  std::string joined;
  for (const auto& word : words) joined += (joined.empty() ? "" : ", ") + word;
  return joined;
}

std::string FieldNames(const google::protobuf::Descriptor& message) {
  std::string names;
  for (int i = 0; i < message.field_count(); ++i) names += (i > 0 ? ", " : "") + message.field(i)->name();
  return names;
}

// Only names are quoted from a text. A caller who confuses two fields may have put a secret there, and statuses
// are logged by both sides, and kept in the audit.
Fault OfText(const std::string& text, const v1::Limits& limits, bool may_lack, bool secret) {
  if (limits.kind() == v1::Limits::REPORTED) return {};
  const bool name = limits.kind() == v1::Limits::NAME;
  if (text.find('\0') != std::string::npos) return " contains a NUL character";
  if (!IsUtf8(text)) return " is not valid UTF-8";
  if (text.empty()) {
    if (limits.none_empty() || (limits.required() && !may_lack)) {
      return " is empty" + (name ? "; it takes " + std::string(Words(limits.kind())) : "");
    }
    return {};
  }
  const std::size_t most = name ? kNameBytesMax : limits.max_bytes();
  if (most > 0 && text.size() > most) {
    return " is " + std::to_string(text.size()) + " bytes long; it may be " + std::to_string(most) + " at most";
  }
  if (!Fits(text, limits.kind())) return " is not what it may be; it takes " + std::string(Words(limits.kind()));
  if (limits.words_size() > 0 && std::ranges::find(limits.words(), text) == limits.words().end()) {
    const std::string shown = name && !secret ? " " + Shown(text) : " not what it may be";
    return " is" + shown + "; it takes one of " + Joined(limits.words());
  }
  return {};
}

// A walk over one request. The way to the field is made into text only where something is wrong.
class Walk {
 public:
  Fault OfMessage(const Message& message, const LimitedKind& kind, bool partial) {
    const Reflection& r = *message.GetReflection();
    if (const auto& unknown = r.GetUnknownFields(message); !unknown.empty()) {
      return " has field number " + std::to_string(unknown.field(0).number()) +
             ", which this batond does not know (a newer client?); nothing was changed";
    }
    for (const LimitedField& one : kind.fields) {
      const bool list = one.field->is_repeated();
      const int count = list ? r.FieldSize(message, one.field) : r.HasField(message, one.field) ? 1 : 0;
      if (count == 0 && one.skipped_unset) continue;
      way_.push_back({one.field, -1, {}});
      Fault fault = list ? OfList(message, r, one, count, partial) : OfField(message, r, one, count > 0, partial);
      if (!fault.empty()) return fault;
      way_.pop_back();
    }
    for (const CrossRule* rule : kind.rules) {
      if (std::string broken = rule->broken(message); !broken.empty()) return broken;
    }
    return {};
  }

  std::string Way() const {
    std::string text;
    for (const Step& step : way_) {
      text += (text.empty() ? "" : ".") + step.field->name();
      if (!step.key.empty()) {
        text += CheckName("", step.key) ? "[" + Shown(step.key) + "]" : "[a key]";
      } else if (step.index >= 0) {
        text += "[" + std::to_string(step.index) + "]";
      }
    }
    return text;
  }

 private:
  struct Step {
    const FieldDescriptor* field;
    int index;
    std::string key;  // of a map
  };

  Fault OfField(const Message& message, const Reflection& r, const LimitedField& one, bool set, bool partial) {
    if (IsMessage(*one.field)) {
      if (set) return OfInner(r.GetMessage(message, one.field), one);
      return one.limits->required() && !partial ? " is missing" : "";
    }
    if (one.field->has_presence() && !set) return {};
    return OfValue(message, r, one, -1, partial);
  }

  Fault OfList(const Message& message, const Reflection& r, const LimitedField& one, int count, bool partial) {
    const v1::Limits& limits = *one.limits;
    if (count == 0) return limits.required() && !partial ? " is empty" : "";
    if (limits.has_max_items() && static_cast<std::uint32_t>(count) > limits.max_items()) {
      return " has " + std::to_string(count) + " entries; it takes " + std::to_string(limits.max_items()) + " at most";
    }
    std::set<std::int64_t> seen;
    for (int i = 0; i < count; ++i) {
      way_.back().index = i;
      Fault fault = one.field->is_map()     ? OfEntry(r.GetRepeatedMessage(message, one.field, i), one)
                    : IsMessage(*one.field) ? OfInner(r.GetRepeatedMessage(message, one.field, i), one)
                                            : OfValue(message, r, one, i, /*may_lack=*/false);
      if (!fault.empty()) return fault;
      if (limits.distinct() && !seen.insert(NumberOf(message, *one.field, i)).second) {
        return " is " + std::to_string(NumberOf(message, *one.field, i)) + " a second time";
      }
    }
    way_.back().index = -1;
    return {};
  }

  Fault OfEntry(const Message& entry, const LimitedField& map) {
    const LimitedField& key = map.inner->fields[0];
    const LimitedField& value = map.inner->fields[1];
    const Reflection& r = *entry.GetReflection();
    if (key.field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      std::string text = r.GetString(entry, key.field);
      if (Fault fault = OfText(text, map.key, /*may_lack=*/false, /*secret=*/false); !fault.empty())
        return ": a key" + fault;
      way_.back().key = std::move(text);
    }
    if (IsMessage(*value.field)) return OfMember(r.GetMessage(entry, value.field), value, *map.limits);
    if (map.field->containing_type() == v1::ProtoRoutes::descriptor() && r.GetString(entry, value.field) == kRedacted &&
        !IsShownRouter(way_.back().key)) {
      return kIsHidden;
    }
    return OfValue(entry, r, value, -1, /*may_lack=*/true);
  }

  Fault OfInner(const Message& inner, const LimitedField& one) { return OfMember(inner, one, *one.limits); }

  // `limits`: of the field, or of the map, in which it stands.
  Fault OfMember(const Message& inner, const LimitedField& one, const v1::Limits& limits) {
    if (Fault fault = OfMessage(inner, *one.inner, limits.partial()); !fault.empty()) return fault;
    const bool bounded = limits.has_min() || limits.has_max();
    if (!bounded && !limits.exactly_one()) return {};
    std::vector<const FieldDescriptor*> set;
    inner.GetReflection()->ListFields(inner, &set);
    if (limits.exactly_one() && set.size() != 1) {
      return (set.empty() ? " is empty; it takes one of " : " has more than one field; it takes one of ") +
             FieldNames(*inner.GetDescriptor());
    }
    if (bounded && set.size() == 1 && IsNumber(*set[0])) {
      Fault fault = OfNumber(NumberOf(inner, *set[0], -1), limits);
      return fault.empty() ? fault : "." + set[0]->name() + fault;
    }
    return {};
  }

  static Fault OfValue(const Message& message, const Reflection& r, const LimitedField& one, int index, bool may_lack) {
    const FieldDescriptor& field = *one.field;
    const v1::Limits& limits = *one.limits;
    const bool list = index >= 0;
    if (field.type() == FieldDescriptor::TYPE_STRING) {
      std::string scratch;
      const std::string& text = list ? r.GetRepeatedStringReference(message, &field, index, &scratch)
                                     : r.GetStringReference(message, &field, &scratch);
      const bool secret = limits.kind() == v1::Limits::NAME && one.sensitive != v2::NOT_SENSITIVE;
      Fault fault = OfText(text, limits, may_lack, secret);
      return fault.empty() && text == kRedacted && IsSecretValue(one.sensitive, "?") ? Fault(kIsHidden) : fault;
    }
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
      const int value = list ? r.GetRepeatedEnumValue(message, &field, index) : r.GetEnumValue(message, &field);
      if (!field.enum_type()->FindValueByNumber(value)) {
        return " is " + std::to_string(value) +
               ", a value that this batond does not know (a newer client?); nothing was changed";
      }
      return limits.required() && !may_lack && value == 0 ? " is not said" : "";
    }
    return IsNumber(field) ? OfNumber(NumberOf(message, field, index), limits) : Fault();
  }

  std::vector<Step> way_;
};

}  // namespace

const v1::Limits& LimitsOf(const FieldDescriptor& field) { return field.options().GetExtension(v1::limits); }

std::vector<const google::protobuf::Descriptor*> RequestTypes() {
  std::vector<const google::protobuf::Descriptor*> types;
  for (const auto* file : {v2::DesireLRPRequest::descriptor()->file(), v2::GetDefinitionRequest::descriptor()->file(),
                           v2::ListActualLRPsRequest::descriptor()->file(), v2::GetRollRequest::descriptor()->file(),
                           v2::ListCellsRequest::descriptor()->file(), v2::UpsertDomainRequest::descriptor()->file(),
                           v2::ListEndpointsRequest::descriptor()->file()}) {
    for (int i = 0; i < file->service(0)->method_count(); ++i) {
      const auto& method = *file->service(0)->method(i);
      if (method.client_streaming() || std::ranges::find(types, method.input_type()) != types.end()) continue;
      types.push_back(method.input_type());
    }
  }
  return types;
}

Status CheckLimits(const Message& request) {
  Walk walk;
  const Fault fault = walk.OfMessage(request, LimitedKindOf(*request.GetDescriptor()), /*partial=*/false);
  if (fault.empty()) return Done{};
  const std::string way = walk.Way();
  const bool names_field = way.empty() && fault.starts_with('.');
  return Error{
      ErrorKind::kInvalidArgument, names_field ? fault.substr(1) : (way.empty() ? "the request" : way) + fault, {}};
}

std::vector<std::string> LimitWords(const FieldDescriptor& field) {
  const v1::Limits& limits = LimitsOf(field);
  std::vector<std::string> words;
  if (limits.required()) words.emplace_back("required");
  if (limits.none_empty()) words.emplace_back("none is empty");
  if (limits.has_min() || limits.has_max()) words.push_back(RangeWords(limits, Grouped));
  if (limits.has_max_items()) words.push_back(Grouped(limits.max_items()) + " entries at most");
  if (limits.has_max_bytes()) words.push_back(Grouped(limits.max_bytes()) + " bytes at most");
  if (limits.kind() != v1::Limits::TEXT)
    words.push_back((field.is_map() ? "keys: " : "") + std::string(Words(limits.kind())));
  if (limits.words_size() > 0) words.push_back("one of " + Joined(limits.words()));
  if (limits.exactly_one()) {
    const auto* inner = field.is_map() ? field.message_type()->map_value()->message_type() : field.message_type();
    words.push_back("exactly one of " + (inner->field_count() > 3 ? "its fields" : FieldNames(*inner)));
  }
  if (limits.distinct()) words.emplace_back("none twice");
  if (limits.partial()) words.emplace_back("what is required in it may be missing");
  return words;
}

}  // namespace baton::wire
