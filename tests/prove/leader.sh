# shellcheck shell=bash disable=SC2154
# One leader: three batonds under traffic, put to sleep SLEEPS times.
prove_leader() {
  need_packages
  build build -DBUILD_TESTING=ON
  local log; log=$(mktemp -d)
  say "elections, standbys, fences, stores that were lost"
  (cd build && ctest -j "$test_jobs" --no-tests=error -L '^prove-leader$' --output-on-failure) |
    tee "$log/tests" | tail -8
  grep -q '100% tests passed' "$log/tests"
  say "three batonds: stopped, killed, and put to sleep ${SLEEPS:-100} times; behind a pooler; a database that stands still, clocks that are set"
  BATON_SLEEPS=${SLEEPS:-100} tests_of stack_e2e leader-scenes | tee "$log/scenes" | grep -E '^(scene|leaders)|FAILED|Failure' || true
  passed "$log/scenes" 1
  if grep -q '  SKIPPED ' "$log/scenes"; then die "some scenes were skipped (they need root and network namespaces): $log/scenes"; fi
  grep '^leaders lease renewal: p99' "$log/scenes"
  printf 'prove leader: ok %s; %s; %s\n' "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/tests")" \
    "$(grep '^leaders.*sleeps' "$log/scenes" | cut -d' ' -f2-)" "$(sed -nE 's/^leaders ([a-z ]*|[A-Za-z]*): (from .*|another .*)/\1: \2/p' "$log/scenes" | paste -sd, | sed 's/,/, /g')"
  rm -rf "$log"
}
