# shellcheck shell=bash disable=SC2154
# What is shown is true: to operators, to callers, and of rows that are broken.
prove_truth() {
  need_packages
  build build -DBUILD_TESTING=ON
  local log; log=$(mktemp -d)
  say "pages that programs print, words that nothing else may say, limits, metrics, names of log events"
  (cd build && ctest -j "$test_jobs" -L 'pure|tidy' --output-on-failure) | tee "$log/pure" | tail -8
  grep -q '100% tests passed' "$log/pure"
  tests_of serving_law_test truth-limits | tee "$log/limits" | grep '^limits: '
  passed "$log/limits" 1
  local apps=${APPS:-20000}
  say "what is described can be applied: $apps apps"
  RC_PARAMS="max_success=$apps seed=${SEED:-$(date +%s)}" tests_of baton_cli_test truth-apply | tee "$log/apply" | grep -E 'RoundTrip.What|Falsifiable|FAILED' || true
  passed "$log/apply" 1
  say "rows that are broken, streams that are not read, answers that are lost; who asked for what"
  (cd build && ctest -j "$test_jobs" --no-tests=error -L '^prove-truth$' --output-on-failure -V) |
    tee "$log/broken" | grep -E 'corruption matrix|corruption of tables|control tables|tests passed|\*\*\*' || true
  grep -q '100% tests passed' "$log/broken"
  say "whole processes: a held roll is seen by metric, log and exit status; every line that they log is JSON"
  (cd build && ctest -j "$test_jobs" -L e2e --output-on-failure -V) | tee "$log/scenes" | grep -E 'tests passed|\*\*\*' || true
  grep -q '100% tests passed' "$log/scenes"
  printf 'prove truth: ok %s; %s; %s apps described and applied, each unchanged; %s; none of these reads lost an app or ended well short of rows; log lines: %s\n' \
    "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/pure")" "$(grep '^limits: ' "$log/limits")" "$apps" \
    "$(sed -nE 's/^[0-9]+: (corruption matrix|corruption of tables|control tables): (.*)/\1: \2/p' "$log/broken" | paste -sd';' | sed 's/;/; /g')" \
    "$(awk '/: log lines: / {lines += $4; programs += $6} END {printf "%d of %d programs, each is JSON", lines, programs}' "$log/scenes")"
  rm -rf "$log"
}
