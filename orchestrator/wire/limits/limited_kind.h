// A kind of message with what its fields take, found once: to ask protobuf for the options of each field of each request was most of
// what a check of limits cost.
#pragma once

#include <google/protobuf/descriptor.h>

#include <vector>

#include "baton/v1/limits.pb.h"
#include "baton/v2/sensitive.pb.h"
#include "orchestrator/wire/limits/cross_rules.h"

namespace baton::wire {

struct LimitedKind;

struct LimitedField {
  const google::protobuf::FieldDescriptor* field;
  const v1::Limits* limits;  // what it takes; all zero: anything
  v2::Sensitive sensitive;
  // No limit of it can be broken where it is not set. False: it is looked at even then, as what is required, or a range, may speak of that.
  bool skipped_unset;
  const LimitedKind* inner = nullptr;  // of a message or a list of them; of a map: of its entries
  v1::Limits key;                      // of a map: what its keys take
};

struct LimitedKind {
  std::vector<LimitedField> fields;     // as they are declared
  std::vector<const CrossRule*> rules;  // of this kind
};

// For the process's life. Any thread.
const LimitedKind& LimitedKindOf(const google::protobuf::Descriptor& kind);

}  // namespace baton::wire
