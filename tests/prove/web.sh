# shellcheck shell=bash disable=SC2154
# The page over 10,000 apps with 100,000 instances in a browser, what it costs batond, and a leader that is killed while somebody looks.
prove_web() {
  need_packages
  need_page_modules
  build build -DBUILD_TESTING=ON -- page_load_e2e baton-bench
  local log; log=$(mktemp -d)
  say "10,000 apps with 100,000 instances, of which a screenful changes a thousand times a second, in chromium"
  build/bin/page_load_e2e --gtest_also_run_disabled_tests | tee "$log/load" | grep -E '^(made|usable|on the page|a step|scrolling|rolls|cells|tab|ok|[0-9]+ changes)|FAILED|Failure' || true
  passed "$log/load" 1
  if grep -q '  SKIPPED ' "$log/load"; then die "nothing was tried: $log/load"; fi
  say "a hundred open pages against one, baton-web beside changes, a leader that is killed; a million apps"
  build/bin/baton-bench --only web --large | tee "$log/bench" | grep '^web\.'
  figure() { sed -nE "s/^web\\.$1 +([0-9.]+).*/\\1/p" "$log/bench"; }
  local usable frames share
  usable=$(sed -nE 's/^usable after ([0-9]+) ms$/\1/p' "$log/load")
  frames=$(sed -nE 's/^scrolling .* p95 ([0-9.]+) ms.*/\1/p' "$log/load")
  share=$(sed -nE 's/^tab ([0-9.]+) % of a core$/\1/p' "$log/load")
  if grep -q SHORT "$log/bench"; then die "something falls short of what is asked of it: $log/bench"; fi
  awk -v usable="$usable" -v frames="$frames" -v share="$share" '
    BEGIN { exit !(usable != "" && usable <= 1000 && frames != "" && frames <= 33 && share != "" && share <= 30) }' ||
    die "usable after $usable ms (at most 1000), frames p95 $frames ms (at most 33), tab $share % of a core (at most 30): $log/load"
  printf 'prove web: ok usable %s ms, frames p95 %s ms, tab %s %% of a core, baton-web %s %% of a core and %s MB, batond with 100 pages %s x, away %s ms, back %s ms, of a million apps a page opens in %s ms, baton-web has them after %s ms and takes %s MB\n' \
    "$usable" "$frames" "$share" "$(figure changes_cpu_percent)" "$(figure memory_mb)" "$(figure batond_cpu_100_pages_ratio)" "$(figure away_ms)" \
    "$(figure back_ms)" "$(figure open_1m_ms)" "$(figure start_1m_ms)" "$(figure memory_1m_mb)"
  rm -rf "$log"
}
