#!/usr/bin/env bash
# Baton with certificates of your own, PostgreSQL over TLS and the roles of schema/roles.sql, on one machine with an address for each part:
# the app `hello` is started, rolled and asked, and all of it is stopped again. README.md says what is what.
#
#   examples/over-tls/run.sh [DIR]     # keeps DIR; without it everything is in a directory that is removed
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BATON_BIN:-$source_dir/build/bin}
pg_bin=${PG_BIN:-$(pg_config --bindir)}
port=${PORT_FROM:-18890}  # of the API; HAProxy's and PostgreSQL's follow it
dir=${1:-$(mktemp -d /tmp/baton-over-tls-XXXXXX)}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
chmod 0711 "$dir"
api=127.0.0.1:$port http=127.0.0.3:$((port + 1)) pg=127.0.0.4 pg_port=$((port + 2))
as_postgres=()
((EUID)) || as_postgres=(setpriv --reuid postgres --regid postgres --clear-groups)

parts=()
finish() {
  for part in "${parts[@]}"; do kill "$part" 2>/dev/null || true; done
  for part in "${parts[@]}"; do wait "$part" 2>/dev/null || true; done
  "${as_postgres[@]}" "$pg_bin/pg_ctl" -D "$dir/pg" -m fast -s stop >/dev/null 2>&1 || true
  [[ ${1:-} == keep ]] || rm -rf "$dir"
}
trap 'finish "${KEEP:-}"' EXIT
(($#)) && KEEP=keep
start() { local name=$1; shift; "$bin/$name" "$@" 2>"$dir/${name}.log" & parts+=($!); }
until_so() {
  local until=$((SECONDS + 60))
  while ((SECONDS < until)); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
  echo "not within a minute: $*" >&2
  tail -n 3 "$dir"/*.log >&2
  exit 1
}
quietly() { "$@" >/dev/null; }

echo "certificates in five commands"
cd "$dir"
quietly "$bin/baton" certs ca --trust-domain baton.example --out ca
quietly "$bin/baton" certs issue batond b1 --ip 127.0.0.1 --ca ca --out batond
quietly "$bin/baton" certs issue cell cell-1 --ip 127.0.0.2 --ca ca --out cell-1
quietly "$bin/baton" certs issue router router-1 --ip 127.0.0.3 --ca ca --out router-1
quietly "$bin/baton" certs issue admin you --ca ca --out admin

echo "PostgreSQL with one of an authority of its own: who is believed there is nobody here"
quietly "$bin/baton" certs ca --trust-domain database.example --out db-ca
quietly "$bin/baton" certs issue batond postgres --ip "$pg" --ca db-ca --out db
mkdir -p pg
((EUID)) || chown -R postgres:postgres pg db
"${as_postgres[@]}" "$pg_bin/initdb" -D pg -U postgres --auth=peer --auth-host=reject -E UTF8 --locale=C >/dev/null
cat >> pg/postgresql.conf <<CONF
listen_addresses = '$pg'
port = $pg_port
unix_socket_directories = '$dir/pg'
ssl = on
ssl_cert_file = '$dir/db/cert.pem'
ssl_key_file = '$dir/db/key.pem'
ssl_min_protocol_version = 'TLSv1.2'
CONF
printf 'local all postgres peer map=own\nhostssl baton baton_service,baton_migrator,baton_lister 127.0.0.0/8 scram-sha-256\n' > pg/pg_hba.conf
printf 'own %s postgres\n' "$( ((EUID)) && id -un || echo postgres)" > pg/pg_ident.conf
"${as_postgres[@]}" "$pg_bin/pg_ctl" -D pg -l pg/log -w -s start
sql() { "${as_postgres[@]}" "$pg_bin/psql" -q -X -v ON_ERROR_STOP=1 -h "$dir/pg" -p "$pg_port" -U postgres "$@"; }
sql -d postgres -c 'CREATE DATABASE baton'
roles() { PGOPTIONS='-c client_min_messages=warning' sql -d baton < "$source_dir/schema/roles.sql"; }
roles
(umask 077; : > passwords)
for role in baton_service baton_migrator baton_lister; do
  password=$(openssl rand -hex 16)
  printf "ALTER ROLE %s PASSWORD '%s';\n" "$role" "$password" | sql -d baton  # not on a command line
  printf '%s:%s:baton:%s:%s\n' "$pg" "$pg_port" "$role" "$password" >> passwords
done
database() { echo "host=$pg port=$pg_port dbname=baton user=$1 sslmode=verify-full sslrootcert=$dir/db-ca/ca.pem passfile=$dir/passwords"; }

echo "batond, a cell and a router"
(umask 077; printf 'controller * domains * hostnames *\nrouter router-1\n' > access; printf 'key one %s\nactive one\n' "$(openssl rand -base64 32)" > keys)
start batond --database "$(database baton_service)" --database-owner "$(database baton_migrator)" --keys keys --state batond.state \
  --tls batond --access access --listen "$api" --metrics ''
baton() { "$bin/baton" --batond "$api" --tls "$dir/admin" "$@"; }
until_so baton admin leader
until_so roles  # the tables are there now; batond works meanwhile, and one of two that lock each other out begins anew
"$bin/baton" admin check-database --database "$(database baton_service)"
"$bin/baton-definitions" --database "$(database baton_lister)" --check 2>/dev/null
start baton-cell run --id cell-1 --dir cell --tls cell-1 --address 127.0.0.2 --batond "$api" --cgroup none --allow-root-apps --stop-instances-on-exit
start baton-router run --spawn --id router-1 --dir router --tls router-1 --listen "$http" --batond "$api"
until_so grep -q '"welcomed"' baton-cell.log
until_so curl -s -o /dev/null "http://$http/"

echo "an app, and its next version"
for version in v1 v2; do
  baton apply -f "$source_dir/examples/apps/hello.yaml" --set HELLO="$bin/hello" --set VERSION=$version --wait | tail -n 1
  curl -sS -H 'Host: hello.example' "http://$http/"
done
