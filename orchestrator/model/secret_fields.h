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

// URLs of which most are nobody's secret: one with a user, a password or a query (a signature, a token) is.
inline constexpr std::array<std::string_view, 4> kUrlFields = {
    "baton.v1.DownloadAction.from", "baton.v1.UploadAction.to", "baton.v1.CachedDependency.from", "baton.v1.ImageLayer.url"};

inline bool IsUrlField(std::string_view full_name) {
  return std::ranges::find(kUrlFields, full_name) != kUrlFields.end();
}

// Of such a field. A doubtful one is taken for a secret: cells guess a scheme where there is none.
inline bool IsSecretUrl(std::string_view url) {
  const std::size_t slashes = url.find("//");
  const std::string_view authority = url.substr(0, url.find('/', slashes == std::string_view::npos ? 0 : slashes + 2));
  return authority.find('@') != std::string_view::npos || url.find('?') != std::string_view::npos ||
         url.find('#') != std::string_view::npos;
}

// Whether what stands in it is always, or may be, a secret.
inline bool IsSecretField(std::string_view full_name) {
  return std::ranges::find(kSecretFields, full_name) != kSecretFields.end() || IsUrlField(full_name);
}

// Whether this value of a secret field is one.
inline bool IsSecretValue(std::string_view full_name, std::string_view value) {
  return IsUrlField(full_name) ? IsSecretUrl(value) : !value.empty();
}

}  // namespace baton
