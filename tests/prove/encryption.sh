# shellcheck shell=bash disable=SC2154
prove_encryption() {
  need_packages
  build build -DBUILD_TESTING=ON
  local rounds=${ROUNDS:-5} log; log=$(mktemp -d)
  say "envelopes, key files, keys that are refused, batond and its programs with keys; every column decided on"
  (cd build && ctest --no-tests=error -L '^prove-encryption$' --output-on-failure) |
    tee "$log/tests" | tail -8
  say "rotation: failed and killed at every statement, beside writers, $rounds times"
  BATON_EACH_STATEMENT=1 tests_of key_rotation_pgtest encryption-rotation --gtest_repeat="$rounds" \
    --gtest_break_on_failure | tee "$log/rotation" | grep -E '^rotation |FAILED|Failure' || true
  passed "$log/rotation" "$rounds"
  say "rotation: PostgreSQL dies before each statement"
  BATON_EACH_STATEMENT=1 tests_of key_rotation_pgtest encryption-outage | tee "$log/dies" | grep -E '^rotation |FAILED|Failure' || true
  passed "$log/dies" 1
  say "speed, beside readers"
  build/bin/baton-bench --json "$log/result.jsonl" --only rotation | tee "$log/bench"
  figure() { awk -v name="rotation.$1" '$1 == name {print $2}' "$log/bench"; }
  printf 'prove encryption: ok %s; resumed after failures at %s, kills at %s and PostgreSQL deaths at %s statements; %s rows/s, p99 of a read %s x, memory +%s MB at 4 x the rows\n' \
    "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/tests")" \
    "$(awk '/^rotation resumed after a failure/ {n += $(NF-1)} END {print n}' "$log/rotation")" \
    "$(awk '/^rotation resumed after SIGKILL/ {n += $(NF-1)} END {print n}' "$log/rotation")" \
    "$(awk '/^rotation resumed after PostgreSQL/ {n += $(NF-1)} END {print n}' "$log/dies")" \
    "$(figure rows_per_s)" "$(figure get_p99_ratio)" "$(figure memory_mb_at_4x)"
  rm -rf "$log"
}
