# shellcheck shell=bash disable=SC2154
# What batond keeps of the database in its memory is what the rows say, whoever writes them.
prove_book() {
  need_packages
  build build -DBUILD_TESTING=ON
  local seed=${SEED:-$(date +%s)} edits=${EDITS:-2000} rounds=${ROUNDS:-20} seconds=${STORM_SECONDS:-60} schedules=${SCHEDULES:-20000} log
  log=$(mktemp -d)
  say "guards, events from memory, lists, standbys, audits"
  (cd build && ctest -j "$test_jobs" --no-tests=error -L '^prove-book$' --output-on-failure) | tee "$log/tests" | tail -8
  grep -q '100% tests passed' "$log/tests"
  say "rows of apps, lists and routes against all rows, $edits foreign and own edits each, from seed $seed"
  BATON_EDIT_ROUNDS=$edits BATON_EDIT_SEED=$seed tests_of pg_store_pgtest book-edits | tee "$log/edits" | grep -E 'Failure|FAILED' || true
  passed "$log/edits" 1
  say "whole batonds: $rounds storms of calls, foreign hands, lost answers and changes of leader"
  BATON_STORM_ROUNDS=$rounds BATON_STORM_SEED=$seed tests_of server_pgtest book-storm | tee "$log/storm" | grep -E '^memory storm|Failure|FAILED' || true
  passed "$log/storm" 1
  say "an event storm of $seconds s"
  BATON_STORM_SECONDS=$seconds tests_of server_pgtest convergence-storm | tee "$log/events" | grep -E '^event storm|Failure|FAILED' || true
  passed "$log/events" 1
  say "simulation: $schedules schedules from seed $seed"
  build/bin/baton-sim --schedules "$schedules" --seed "$seed" | tee "$log/sim" | tail -1
  printf 'prove book: ok %s; %s edits of each kind of memory; %s; %s; simulation: %s\n' \
    "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/tests")" "$edits" "$(grep '^memory storm' "$log/storm" | paste -sd' ')" \
    "$(grep '^event storm' "$log/events")" "$(tail -1 "$log/sim")"
  rm -rf "$log"
}
