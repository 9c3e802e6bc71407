# shellcheck shell=bash disable=SC2154
# Ends with `prove rolls: ok` and the figures, or before, where something does not hold.
prove_rolls() {
  need_packages
  build build -DBUILD_TESTING=ON
  local seed=${SEED:-$(date +%s)} log; log=$(mktemp -d)
  say "the law, the planner, the use cases"
  (cd build && ctest -j "$test_jobs" -L 'pure|tidy') | tee "$log/tests" | tail -8
  say "simulation: 200,000 schedules from seed $seed"
  build/bin/baton-sim --schedules 200000 --seed "$seed" --all-pairs | tee "$log/sim"
  say "cases of other orchestrators"
  build/bin/baton-cases tests/cases/peers.json | tee "$log/cases" | tail -1
  say "planted bugs"
  JOBS=$jobs tests/mutants/run build-mutants | tee "$log/mutants"
  say "whole processes under traffic"
  (cd build && ctest --no-tests=error -L '^prove-rolls-scenes$' --output-on-failure) | tee "$log/scenes"
  printf 'prove rolls: ok %s; cases: %s; planted bugs: %s; scenes: %s\n' "$(tail -1 "$log/sim")" "$(tail -1 "$log/cases")" \
    "$(tail -1 "$log/mutants")" "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/scenes")"
  rm -rf "$log"
}
