#!/usr/bin/env bash
# Restores the newest backup to a directory of its own, with all that was archived since, and reads it: once a month, from cron.
# Nothing of the running database is touched. Run it as the user of PostgreSQL, where pgbackrest is configured:
#   drill.sh [--stanza baton] [--keys FILE] [--dir DIR]
set -euo pipefail

stanza=baton dir=${TMPDIR:-/var/tmp} keys=() bin=${PG_BIN:-/usr/lib/postgresql/15/bin}
while (($#)); do
  case $1 in
    --stanza) stanza=${2:?} ;;
    --keys) keys=(--keys "${2:?}") ;;
    --dir) dir=${2:?} ;;
    *) echo "drill: there is no option '$1': --stanza NAME, --keys FILE, --dir DIR" >&2; exit 2 ;;
  esac
  shift 2
done

drill=$(mktemp -d "$dir/baton-drill-XXXXXX")
fail() { printf 'drill: FAILED: %s\n' "$1" >&2; [[ ! -e $drill/log ]] || tail -n 20 "$drill/log" >&2; exit 1; }
end() {
  [[ ! -e $drill/data/postmaster.pid ]] || "$bin/pg_ctl" -D "$drill/data" -m immediate -w stop >/dev/null || true
  rm -rf "$drill"
}
trap end EXIT

began=$SECONDS
mkdir -m 700 "$drill/data"
pgbackrest --stanza="$stanza" --pg1-path="$drill/data" --archive-mode=off --log-level-console=off --log-level-stderr=warn restore ||
  fail "pgbackrest did not restore the newest backup of $stanza"
# Of the cluster's own configuration nothing is needed; a Debian cluster has it outside of its data.
echo "local all all trust" >"$drill/hba"
: >"$drill/ident"
printf "%s\n" "hba_file = '$drill/hba'" "ident_file = '$drill/ident'" "listen_addresses = ''" "unix_socket_directories = '$drill'" "hot_standby = off" >"$drill/conf"
"$bin/pg_ctl" -D "$drill/data" -l "$drill/log" -w -t 86400 -o "-c config_file=$drill/conf" start >/dev/null ||
  fail "PostgreSQL did not come up with what was restored"
# PGHOST and its like would lead to the database that is in use.
database="host=$drill port=5432 user=$(id -un) dbname=baton"
ask() { "$bin/psql" -XAtq -v ON_ERROR_STOP=1 -d "$database" -c "$1"; }
# It takes connections when all that was archived is in it.
until ask 'SELECT 1' >/dev/null 2>&1; do
  "$bin/pg_ctl" -D "$drill/data" status >/dev/null || fail "PostgreSQL ended while it took in what was archived"
  sleep 0.2
done
restored=$((SECONDS - began))
checked=$(baton-definitions --check --database "$database" "${keys[@]}") || fail "what was restored cannot be read: $checked"
# A leader moves the end of its lease on several times a second: that dates what was restored.
age=$(ask "SELECT GREATEST(0, EXTRACT(epoch FROM clock_timestamp() - MAX(expires_at)))::bigint FROM leases") ||
  fail "how old it is what was restored cannot be told"
printf 'drill: ok restored in %s s, as it was %s s ago, %s\n' "$restored" "$age" "$(tail -n 1 <<<"$checked")"
