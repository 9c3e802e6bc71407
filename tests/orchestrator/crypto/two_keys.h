// Two keys of 32 bytes, as a key file has them.
#pragma once

namespace baton {

inline constexpr char kKeyA[] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
inline constexpr char kKeyB[] = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";

}  // namespace baton
