# shellcheck shell=bash disable=SC2154
# The data goes from one schema to the next, and back, while everything goes on.
prove_upgrade() {
  need_packages
  build build -DBUILD_TESTING=ON
  local log older; log=$(mktemp -d)
  say "the law; both layouts by random apps and calls; failures, kills and lost commits at a sample of statements; writers beside it"
  (cd build && ctest --no-tests=error -L '^prove-upgrade$' --output-on-failure -V) |
    tee "$log/tests" | grep -E 'tests passed|Failed|FAILED' || true
  grep -q '100% tests passed' "$log/tests"
  say "whole stacks under traffic and writes: there, back, there again; leaders killed; beside the batond that shipped schema 2.2"
  older=$(older_batond 0e1b485 build-older-2.2)
  BATON_OLDER_2_2=$older tests_of stack_e2e upgrade-scenes | tee "$log/scenes" | grep -E '^(scene|older)|FAILED|Failure' || true
  passed "$log/scenes" 1
  if grep -q '  SKIPPED ' "$log/scenes"; then die "a scene was skipped: $log/scenes"; fi
  say "speed, beside writers and readers"
  build/bin/baton-bench --json "$log/result.jsonl" --only upgrade | tee "$log/bench"
  figure() { awk -v name="upgrade.$1" '$1 == name {print $2}' "$log/bench"; }
  printf 'prove upgrade: ok %s; %s; scenes: %s requests, 0 failed; %s; %s LRPs/s compared beside 500 writes/s, p99 of a write %s x, writes stopped for %s ms there and %s ms back\n' \
    "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/tests")" "$(sed -nE 's/^scene upgrade: (.*)/\1/p' "$log/scenes")" \
    "$(sed -nE 's/^scene .*: ([0-9]+) requests, 0 failed.*/\1/p' "$log/scenes" | awk '{n += $1} END {print n}')" \
    "$(grep '^older program' "$log/scenes")" "$(figure sync.lrps_per_s)" "$(figure write_p99_ratio)" "$(figure write_stop_there_ms)" "$(figure write_stop_back_ms)"
  rm -rf "$log"
}
