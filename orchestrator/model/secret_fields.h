// Which fields of the API may hold a secret. batond hides them in answers, and the command line must know what was
// hidden: it takes such an answer back as a file.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace baton {

// What an answer carries in place of a secret that is not empty.
inline constexpr char kRedacted[] = "<redacted>";

// One list, by full names. A field of a message that is shown and that may hold a secret belongs here.
inline constexpr std::array<std::string_view, 10> kSecretFields = {
    "baton.v1.EnvironmentVariable.value",       "baton.v1.File.content",
    "baton.v1.DesiredLRP.image_password",       "baton.v1.DesiredLRPRunInfo.image_password",
    "baton.v1.DesiredLRPUpdate.image_password", "baton.v1.SharedDevice.mount_config",
    "baton.v1.DedicatedDevice.mount_config",    "baton.v1.DedicatedDevice.device_config",
    "baton.v2.DesiredLRP.image_password",       "baton.v2.Verdict.url",
};

inline bool IsSecretField(std::string_view full_name) {
  return std::ranges::find(kSecretFields, full_name) != kSecretFields.end();
}

}  // namespace baton
