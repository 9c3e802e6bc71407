// Which fields of an old message are which of the new ones: found in the descriptors once, so that a field that both have
// needs no line of code. Fields are the same where name (case and '_' aside) and type are; see docs/decisions/0019.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <set>
#include <string>
#include <vector>

namespace baton::transform {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

class Mapping {
 public:
  // `flat`: the message of one API; `homes`: those of the other that together have its fields, the first one that has a
  // field wins. `by_hand`: fields of `flat` that an override takes care of, or that are left out on purpose.
  Mapping(const Descriptor* flat, std::vector<const Descriptor*> homes, std::set<std::string> by_hand = {});

  // Copies what is set; what the target has already is overwritten. Messages in the order of `homes`.
  void Spread(const Message& flat, const std::vector<Message*>& homes) const;
  // Takes what is set; messages leave their homes for it (a long list's rows are not worth copying).
  void Gather(const std::vector<Message*>& homes, Message& flat) const;

  // Fields of `flat` that have no counterpart and are not done by hand. Empty, or a test says so.
  std::vector<std::string> Homeless() const;
  // Fields done by hand that are not there.
  std::vector<std::string> Misnamed() const;

 private:
  struct Pair {
    const FieldDescriptor* flat;
    std::size_t home;
    const FieldDescriptor* field;
  };
  const Descriptor* flat_;
  std::set<std::string> by_hand_;
  std::vector<Pair> pairs_;
};

}  // namespace baton::transform
