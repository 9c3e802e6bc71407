# shellcheck shell=bash disable=SC2154
# Two batonds on PostgreSQL that fails over, as deploy/ha has it.
prove_ha() {
  ((EUID == 0)) || die "prove ha: its machines are network namespaces, which take root: sudo ./dev prove ha"
  need_packages
  need_packages deploy/debian-packages-ha.txt
  build build -DBUILD_TESTING=ON -- ha_e2e server_pgtest sql_test
  local log; log=$(mktemp -d)
  say "another PostgreSQL becomes the primary under a batond: hosts, sessions that are open, a switchover, one that is killed"
  (cd build && ctest --no-tests=error -L '^prove-ha$' --output-on-failure -V) | tee "$log/tests" | grep -E '^[0-9]+: failover |tests passed|\*\*\*' || true
  grep -q '100% tests passed' "$log/tests"
  say "Patroni, etcd and two batonds under traffic and writes: a switchover, what is killed, what is cut off"
  build/bin/ha_e2e | tee "$log/scenes" | grep -E '^ha |FAILED|Failure' || true
  passed "$log/scenes" 1
  if grep -q '  SKIPPED ' "$log/scenes"; then die "nothing was tried (it needs root and network namespaces): $log/scenes"; fi
  outage() { sed -nE "s/^ha $1: outage_ms ([0-9]+),.*/\1/p" "$log/scenes"; }
  printf 'prove ha: ok switchover gap %s ms, primary killed %s s, %s\n' "$(outage switchover)" \
    "$(outage 'primary killed' | awk '{printf "%.1f", $1 / 1000}')" \
    "$(sed -nE 's/^ha all: writes acknowledged ([0-9]+), lost ([0-9]+), requests ([0-9]+) failed ([0-9]+)$/writes lost \2, requests \3 failed \4, writes acknowledged \1/p' "$log/scenes")"
  rm -rf "$log"
}
