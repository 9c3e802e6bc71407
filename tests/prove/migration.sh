# shellcheck shell=bash disable=SC2154
prove_migration() {
  need_packages
  build build -DBUILD_TESTING=ON
  local log older; log=$(mktemp -d)
  say "the version law; migrations and adoptions killed at each statement, there and back"
  (cd build && BATON_EACH_STATEMENT=1 ctest -j "$test_jobs" --no-tests=error -L '^prove-migration$' --output-on-failure) |
    tee "$log/tests" | tail -8
  grep -q '100% tests passed' "$log/tests"
  say "PostgreSQL dies before each statement of a migration, of an adoption, and of the migration that follows one"
  BATON_EACH_STATEMENT=1 tests_of schema_pgtest migration-outage | tee "$log/dies" | grep -E '^PostgreSQL|FAILED|Failure' || true
  BATON_EACH_STATEMENT=1 tests_of adopt_pgtest migration-outage | tee -a "$log/dies" | grep -E '^PostgreSQL|FAILED|Failure' || true
  passed "$log/dies" 2
  say "the batond that shipped schema 2.0 (built from its commit) at each of these points; two of a kind at once"
  older=$(older_batond 0699bf1 build-older)
  BATON_OLDER=$older tests_of schema_pgtest migration-older | tee "$log/older" | grep -E '^older|FAILED|Failure' || true
  BATON_OLDER=$older BATON_EACH_STATEMENT=1 tests_of adopt_e2e migration-older | tee -a "$log/older" | grep -E '^o[a-z]* program|FAILED|Failure' || true
  passed "$log/older" 2
  say "whole stacks under traffic: back and forth, with the older batond; restored from a backup"
  BATON_OLDER=$older tests_of stack_e2e migration-scenes | tee "$log/scenes" | grep -E '^(scene|older|restored)|FAILED|Failure' || true
  passed "$log/scenes" 1
  printf 'prove migration: ok %s; %s; %s; %s; scenes: %s requests, 0 failed\n' "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/tests")" \
    "$(grep '^PostgreSQL died' "$log/dies" | paste -sd, | sed 's/,PostgreSQL died before/,/g')" \
    "$(grep -E '^o[a-z]* program' "$log/older" | paste -sd';' | sed 's/;/; /g')" "$(grep '^restored' "$log/scenes")" \
    "$(sed -nE 's/^scene .*: ([0-9]+) requests, 0 failed.*/\1/p' "$log/scenes" | awk '{n += $1} END {print n}')"
  rm -rf "$log"
}
