# shellcheck shell=bash disable=SC2154
# Debian's Prometheus reads a whole stack by deploy/monitoring, and somebody is paged of a roll that waits for a person.
prove_monitoring() {
  need_packages
  build build -DBUILD_TESTING=ON -- alert_e2e
  local log; log=$(mktemp -d)
  say "a roll is held: for a minute it is pending, then it fires, and it is over with the roll"
  build/bin/alert_e2e --gtest_also_run_disabled_tests | tee "$log/alert" | grep -E '^monitoring: |FAILED|Failure' || true
  passed "$log/alert" 1
  if grep -q '  SKIPPED ' "$log/alert"; then die "nothing was tried: $log/alert"; fi
  printf 'prove monitoring: ok %s\n' "$(sed -n 's/^monitoring: //p' "$log/alert")"
  rm -rf "$log"
}
