# shellcheck shell=bash disable=SC2154
# The page on backup and restore is followed to the letter, with pgBackRest, under writes and traffic.
prove_backup() {
  need_packages
  need_packages deploy/debian-packages-backup.txt
  build build -DBUILD_TESTING=ON -- backup_e2e
  local log; log=$(mktemp -d)
  say "set up, backed up, drilled, restored after the machine of the database was lost; the embedded one as well"
  build/bin/backup_e2e --gtest_also_run_disabled_tests | tee "$log/backup" | grep -E '^backup: |^scene |FAILED|Failure' || true
  passed "$log/backup" 1
  printf 'prove backup: ok %s\n' "$(sed -n 's/^backup: //p' "$log/backup")"
  rm -rf "$log"
}
