// What baton-shim's first process ends with, for the cell.
#pragma once

namespace baton::shim {

inline constexpr int kShimUp = 0;
inline constexpr int kShimFailed = 1;
inline constexpr int kShimUsage = 2;
inline constexpr int kShimOtherHasIt = 3;
inline constexpr int kShimTooLate = 4;

}  // namespace baton::shim
