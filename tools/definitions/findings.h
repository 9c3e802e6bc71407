// What --check finds. Pure: rows and bytes in, sentences out.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/crypto/cipher.h"
#include "orchestrator/model/app_state.h"

namespace baton::definitions {

struct CheckFinding {
  std::string app;         // empty: belongs to none
  std::string identifier;  // of the definition; empty: not one's
  std::string fault;
  std::string remedy;
};

// One sentence: app, identifier, what is wrong, what to do.
std::string Sentence(const CheckFinding& finding);

// Definitions that the app's rows name and that do not exist.
std::vector<CheckFinding> DanglingReferences(const AppState& app);

// What is wrong with a payload; empty: nothing.
using PayloadCheck = std::function<std::string(const std::string& payload)>;

// What is wrong with a stored blob: envelope, key label, payload. The bytes themselves are never in it.
std::optional<std::string> BlobFault(const Cipher& cipher, const BlobPlace& place, const std::string& sealed,
                                     const std::set<std::string>& labels, const PayloadCheck& check);

// Whether the payloads are what they should be.
std::string RunInfoFault(const Definition& definition, const std::string& payload);
std::string RoutesFault(const std::string& payload);
std::string MetricTagsFault(const std::string& payload);
std::string CredentialsFault(const std::string& payload);
std::string StrategyFault(const std::string& payload);
std::string NetInfoFault(const std::string& payload);
std::string EventFault(const std::string& payload);
std::string TextFault(const std::string& payload);
std::string AnyBytes(const std::string& payload);  // everything is right

}  // namespace baton::definitions
