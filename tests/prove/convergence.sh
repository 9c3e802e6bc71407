# shellcheck shell=bash disable=SC2154
prove_convergence() {
  need_packages
  build build -DBUILD_TESTING=ON
  local seed=${SEED:-$(date +%s)} seconds=${STORM_SECONDS:-120} rounds=${ROUNDS:-3} log; log=$(mktemp -d)
  say "findings, silent cells, placement; domains, definitions, rows that were changed by hand, subscribers"
  (cd build && ctest -j "$test_jobs" --no-tests=error -L '^prove-convergence$' --output-on-failure) |
    tee "$log/tests" | tail -8
  say "an event storm of $seconds s: other transactions, leaders and subscribers come and go"
  BATON_STORM_SECONDS=$seconds tests_of server_pgtest convergence-storm | tee "$log/storm" | grep -E 'storm|Failure|FAILED' || true
  passed "$log/storm" 1
  say "simulation: 100,000 schedules from seed $seed"
  build/bin/baton-sim --schedules 100000 --seed "$seed" --all-pairs | tee "$log/sim" | tail -1
  say "cells and PostgreSQL killed, stopped and drained under traffic, $rounds times; followers through restarts"
  (cd build && ctest --no-tests=error -L '^prove-convergence-scenes$' --repeat "until-fail:$rounds" --output-on-failure -V) | tee "$log/scenes" |
    grep -E '^[0-9]+: scene |tests passed|Failed' || true
  grep -q '100% tests passed' "$log/scenes"
  printf 'prove convergence: ok %s; %s; simulation: %s; scenes: %s runs, %s requests, 0 failed\n' \
    "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/tests")" "$(grep '^event storm' "$log/storm")" "$(tail -1 "$log/sim")" \
    "$(grep -c '^[0-9]*: scene ' "$log/scenes")" "$(sed -nE 's/^[0-9]+: scene .*: ([0-9]+) requests, 0 failed.*/\1/p' "$log/scenes" | awk '{n += $1} END {print n}')"
  rm -rf "$log"
}
