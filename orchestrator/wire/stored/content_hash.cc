#include "orchestrator/wire/stored/content_hash.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "orchestrator/wire/stored/hash.h"

namespace baton::wire {

std::string CanonicalBytes(const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

std::string ContentHash(const v2::LRPDefinition& message) {
  v2::LRPDefinition content = message;
  content.clear_definition_identifier();
  content.clear_content_hash();
  return Sha256Hex(CanonicalBytes(content));
}

}  // namespace baton::wire
