// The methods of baton.v2 that the page may ask for, by their descriptors.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <map>
#include <string>
#include <vector>

#include "orchestrator/access/policy.h"
#include "orchestrator/base/result.h"

namespace baton::web {

struct Method {
  const google::protobuf::MethodDescriptor* descriptor = nullptr;
  const google::protobuf::Message* request = nullptr;  // prototypes
  const google::protobuf::Message* answer = nullptr;
  MethodAccess access;
};

class Methods {
 public:
  // Of all services of baton.v2 in this program. FAILED_PRECONDITION where a method has no (access).
  static Result<Methods> Make();

  // By "baton.v2.SERVICE/METHOD". Null: there is none, its client streams, or no person may call it.
  const Method* Find(const std::string& name) const;
  const std::map<std::string, Method>& all() const { return methods_; }

 private:
  std::map<std::string, Method> methods_;
};

// Whether the role is one of those of the method.
bool MayCall(const Method& method, Role role);

}  // namespace baton::web
