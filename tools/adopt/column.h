// How Diego writes a blob into a text column: two digits that say how it is encoded, then
//   00  the bytes themselves     01  base64     02  base64 of: length of label, label, nonce(12), AES-256-GCM, tag
// and, where it is a protobuf message, two bytes before it: 2 and a version. JSON has no such bytes. A column that
// begins with no digit is from before there were encodings, and is the bytes themselves.
#pragma once

#include <google/protobuf/message_lite.h>

#include <map>
#include <string>
#include <string_view>

#include "orchestrator/base/result.h"
#include "tools/adopt/keys.h"

namespace baton::adopt {

// What an encoded column says of itself; a label only where it is encrypted.
struct ColumnParts {
  std::string label;
  std::string nonce;
  std::string sealed;  // ciphertext and tag
  std::string plain;   // where it is not encrypted
};
Result<ColumnParts> TakeApart(std::string_view column);

class ColumnOpener {
 public:
  explicit ColumnOpener(const SourceKeys& keys) : keys_(keys) {}

  // INVALID_ARGUMENT with the fault; nothing of the contents is in it.
  Result<std::string> Open(std::string_view column);
  Status OpenMessage(std::string_view column, google::protobuf::MessageLite& message);

  // How many blobs of each label opened, and how many did not although the label is known: a wrong passphrase opens
  // none.
  struct Count {
    int opened = 0;
    int failed = 0;
  };
  const std::map<std::string, Count>& counts() const { return counts_; }

 private:
  const SourceKeys& keys_;
  std::map<std::string, Count> counts_;
};

}  // namespace baton::adopt
