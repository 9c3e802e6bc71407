#include "sql/keys/blob_statements.h"

#include <map>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

constexpr int kFirstKeyParameter = 3;   // of ScanBlobs
constexpr int kFirstBlobParameter = 2;  // of RewriteBlobs

// Something of each element, with separators between.
template <class List, class Part>
std::string Joined(const List& list, std::string_view separator, Part&& part) {
  std::string text;
  int index = 0;
  for (const auto& one : list) {
    if (index > 0) text += separator;
    text += part(one, index++);
  }
  return text;
}

std::string Parameter(int number, const char* type) { return "$" + std::to_string(number) + "::" + type; }

std::map<std::string, std::string, std::less<>> Words(const EncryptedTable& table) {
  using KeyColumn = EncryptedTable::KeyColumn;
  const auto name = [](const auto& key, int) { return std::string(key.name); };
  const auto itself = [](std::string_view column, int) { return std::string(column); };
  std::vector<std::string_view> bound = table.bound;
  if (bound.empty()) {
    for (const KeyColumn& key : table.key) bound.push_back(key.name);
  }
  std::map<std::string, std::string, std::less<>> words;
  words["table"] = table.table;
  words["keys"] = Joined(table.key, ", ", name);
  words["keys_down"] = Joined(table.key, ", ", [&](const KeyColumn& key, int i) { return name(key, i) + " DESC"; });
  words["after"] = Joined(table.key, ", ", [](const KeyColumn& key, int i) {
    return Parameter(kFirstKeyParameter + i, key.number ? "bigint" : "text");
  });
  words["bound"] = Joined(bound, " || '/' || ", [](std::string_view column, int) { return std::string(column) + "::text"; });
  words["blobs"] = Joined(table.columns, ", ", itself);
  words["named_blobs"] = Joined(table.columns, ", ", [](std::string_view column, int) {
    return "('" + std::string(column) + "', t." + std::string(column) + ")";
  });
  words["payloads"] = Joined(table.columns, ", ", [](std::string_view column, int) {
    const std::string c(column);
    return "CASE WHEN " + c + " <> '' AND " + c + " <> '\\x42540100' THEN " + c + " END AS " + c;
  });
  words["others"] = "(" + Joined(table.columns, " + ", [](std::string_view column, int) {
    const std::string c(column);
    return "(" + c + " <> '' AND " + c + " <> '\\x42540100' AND substr(" + c +
           ", 1, octet_length($1::bytea)) <> $1::bytea)::int";
  }) + ")";
  words["bytes"] = "(" + Joined(table.columns, " + ", [](std::string_view column, int) {
    return "coalesce(octet_length(" + std::string(column) + "), 0)";
  }) + ")";
  words["arrays"] =
      Joined(table.columns, ", ", [](std::string_view, int i) { return Parameter(kFirstBlobParameter + i, "bytea[]"); });
  words["new_names"] =
      Joined(table.columns, ", ", [](std::string_view column, int) { return "new_" + std::string(column); });
  words["sets"] = Joined(table.columns, ", ", [](std::string_view column, int) {
    const std::string c(column);
    return c + " = coalesce(w.new_" + c + ", t." + c + ")";
  });
  return words;
}

}  // namespace

std::string WriteOut(std::string_view text, const EncryptedTable& table) {
  const auto words = Words(table);
  std::string written;
  for (;;) {
    const std::size_t open = text.find('{');
    written += text.substr(0, open);
    if (open == std::string_view::npos) return written;
    const std::size_t close = text.find('}', open);
    CHECK(close != std::string_view::npos);
    const auto word = words.find(text.substr(open + 1, close - open - 1));
    CHECK(word != words.end());
    written += word->second;
    text.remove_prefix(close + 1);
  }
}

}  // namespace baton
