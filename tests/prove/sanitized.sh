# shellcheck shell=bash disable=SC2154
prove_sanitized() {
  say "everything under AddressSanitizer and UndefinedBehaviorSanitizer"
  build build-asan -DBUILD_TESTING=ON -DBATON_SANITIZE=address
  (cd build-asan && LSAN_OPTIONS=suppressions=$root/tests/lsan.txt:print_suppressions=0 ctest --output-on-failure -j "$((3 * jobs))" -LE '^ha$')
  say "the parts without gRPC under ThreadSanitizer"
  build build-tsan -DBUILD_TESTING=ON -DBATON_SANITIZE=thread -DBATON_PURE_ONLY=ON
  (cd build-tsan && ctest --output-on-failure -j "$((3 * jobs))")
  build-tsan/bin/baton-sim --schedules 2000 --threads 2
}
