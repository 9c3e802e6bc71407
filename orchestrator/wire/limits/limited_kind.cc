#include "orchestrator/wire/limits/limited_kind.h"

#include <memory>
#include <mutex>
#include <unordered_map>

#include "orchestrator/wire/limits/field_limits.h"
#include "orchestrator/wire/secrets/sensitive.h"

namespace baton::wire {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// A key of a kind (a name, say) may not be empty; another one is any text.
v1::Limits KeyLimits(const v1::Limits& of_map) {
  v1::Limits key;
  key.set_kind(of_map.kind());
  key.set_required(of_map.kind() != v1::Limits::TEXT);
  return key;
}

class Kinds {
 public:
  const LimitedKind& Of(const Descriptor& kind) {
    const std::lock_guard lock(mutex_);
    return Find(kind);
  }

 private:
  // A kind may stand within itself: it is known before its fields are looked at.
  const LimitedKind& Find(const Descriptor& kind) {
    std::unique_ptr<LimitedKind>& known = kinds_[&kind];
    if (known) return *known;
    known = std::make_unique<LimitedKind>();
    LimitedKind& made = *known;
    for (int i = 0; i < kind.field_count(); ++i) made.fields.push_back(FieldOf(*kind.field(i)));
    for (const CrossRule& rule : CrossRules()) {
      if (rule.of == &kind) made.rules.push_back(&rule);
    }
    return made;
  }

  LimitedField FieldOf(const FieldDescriptor& field) {
    const v1::Limits& limits = LimitsOf(field);
    const bool bounded = limits.has_min() || limits.has_max();
    LimitedField made{.field = &field,
                      .limits = &limits,
                      .sensitive = SensitivityOf(field),
                      .skipped_unset = !limits.required() && !limits.none_empty() && !bounded,
                      .key = {}};
    if (field.is_map()) made.key = KeyLimits(limits);
    if (field.message_type()) made.inner = &Find(*field.message_type());
    return made;
  }

  std::mutex mutex_;
  std::unordered_map<const Descriptor*, std::unique_ptr<LimitedKind>> kinds_;
};

}  // namespace

const LimitedKind& LimitedKindOf(const Descriptor& kind) {
  static Kinds kinds;
  return kinds.Of(kind);
}

}  // namespace baton::wire
