# shellcheck shell=bash disable=SC2154
prove_security() {
  need_packages
  build build -DBUILD_TESTING=ON
  local log; log=$(mktemp -d)
  say "identities, rules, limits; how the programs are built"
  (cd build && ctest -j "$test_jobs" -L 'pure|tidy' --output-on-failure) | tee "$log/pure" | tail -8
  grep -q '100% tests passed' "$log/pure"
  say "each method by each identity, objects of others, a hostile cell, secrets, roles of the database"
  tests_of access_pgtest security-access 2>"$log/access.err" | tee "$log/access" | grep -E '^access matrix|FAILED|Failure' || true
  passed "$log/access" 1
  tests_of secrets_pgtest security-secrets 2>"$log/secrets.err" | tee "$log/secrets" | grep -E '^canary|FAILED|Failure' || true
  passed "$log/secrets" 1
  say "what holes of before name: cells and routers of strangers, streams that nobody reads, the socket of an embedded PostgreSQL"
  (cd build && ctest -j "$test_jobs" --no-tests=error -L '^prove-security$' --output-on-failure) | tee "$log/holes" | tail -8
  grep -q '100% tests passed' "$log/holes"
  say "callers that take what they can, certificates that are replaced and revoked under traffic, ports, memory"
  (cd build && ctest --no-tests=error -L '^prove-security-scenes$' --output-on-failure -V) | tee "$log/scenes" |
    grep -E '^[0-9]+: (scene|hostile callers)|tests passed|\*\*\*' || true
  grep -q '100% tests passed' "$log/scenes"
  say "what reads strangers' bytes, ${PROVE_FUZZ_SECONDS:-60} s each"
  cmd_fuzz --seconds "${PROVE_FUZZ_SECONDS:-60}" | tee "$log/fuzz"
  say "what TLS costs"
  build build -DBUILD_TESTING=ON -- baton-bench
  build/bin/baton-bench --only tls 2>/dev/null | tee "$log/bench"
  local worst_throughput worst_p50 ping_cpu shapes holes
  # Of calls that read or write. A ping does nothing: how it fares is a matter of how the machine wakes threads, and its CPU is looked at.
  worst_throughput=$(awk '/^tls.(get|update)_throughput_ratio/ {print $2}' "$log/bench" | sort -n | head -1)
  worst_p50=$(awk '/^tls.(get|update)_p50_ratio/ {print $2}' "$log/bench" | sort -n | tail -1)
  ping_cpu=$(awk '/^tls.ping_more_cpu_us/ {print $2}' "$log/bench")
  [[ $worst_throughput && $worst_p50 && $ping_cpu ]] || die "the figures of TLS are missing: $log/bench"
  say "TLS: throughput $worst_throughput at worst (goal 0.85, bound 0.70), p50 $worst_p50 at worst (goal 1.25, bound 1.50), a ping's CPU +$ping_cpu us (bound 30)"
  within_bounds "$worst_throughput" "$worst_p50" "$ping_cpu" || die "TLS costs more than its bounds"
  shapes=$(grep -cE '^[0-9]+: hostile callers: ' "$log/scenes") || die "no shape of hostile callers was tried: $log/scenes"
  holes=$(holes_closed "$root/docs/internals/holes.md")
  printf 'prove security: ok %s; %s, 0 found; %s; %s requests under rotation and beside a hostile cell, 0 failed, foreign rows changed 0; %s shapes of hostile callers; %s; holes closed %s; TLS: throughput %s (goal 0.85, bound 0.70), p50 %s (goal 1.25, bound 1.50)\n' \
    "$(grep '^access matrix' "$log/access")" "$(grep '^canary' "$log/secrets" | sed -E 's/^canary: ([0-9]+) texts of an app.*/canaries looked for \1/')" \
    "$(grep -o '[0-9]* tests failed out of [0-9]*' "$log/scenes" | paste -sd,)" \
    "$(sed -nE 's/^[0-9]+: scene .*: ([0-9]+) requests, 0 failed.*/\1/p' "$log/scenes" | awk '{n += $1} END {print n}')" \
    "$shapes" "$(tail -1 "$log/fuzz" | sed 's/^fuzz: /fuzz /')" "$holes" \
    "$(awk '/_throughput_ratio/ {split($1, of, /[._]/); printf "%s%s %s", sep, of[2], $2; sep = ", "}' "$log/bench")" "$(awk '/_p50_ratio/ {split($1, of, /[._]/); printf "%s%s %s", sep, of[2], $2; sep = ", "}' "$log/bench")"
  rm -rf "$log"
}

# within_bounds THROUGHPUT P50 PING_CPU_US: what TLS may cost at most, of what the same calls take without it.
within_bounds() { awk -v throughput="$1" -v p50="$2" -v cpu="$3" 'BEGIN {exit !(throughput >= 0.70 && p50 <= 1.50 && cpu <= 30)}'; }

# holes_closed PAGE: "29 of 31 (open: B9 B25)", by its two tables.
holes_closed() {
  awk -F'|' '$2 ~ /^ (hole|open) $/ {open = $2 ~ /open/}
    $2 ~ /^ B[0-9]+ $/ {++all; if (open) names = names $2; else ++closed}
    END {gsub(/ +/, " ", names); sub(/ $/, "", names); printf "%d of %d (open:%s)\n", closed, all, names}' "$1"
}
