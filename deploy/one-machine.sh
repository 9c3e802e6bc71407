#!/bin/bash
# All of Baton on this machine, out of its packages: a database in the PostgreSQL that is installed, certificates in /etc/baton/tls, the
# configuration files, the services, and a context for root's `baton`; the page, too, where baton-web is installed. What is there already
# stays as it is, so it can be run again. docs/guide/install.md says what to do for more machines.
#
#   one-machine.sh [--pair]     --pair: a second batond (batond@2.service) stands by, and leads within seconds where the first one ends
set -euo pipefail

die() { printf 'one-machine: %s\n' "$*" >&2; exit 1; }
pair=
case $#:${1:-} in
  0:) ;;
  1:--pair) pair=yes ;;
  1:-h | 1:--help) sed -n '2,/^set/{s/^# \{0,1\}//p}' "$0"; exit ;;
  *) die "it takes --pair or nothing, not: $*" ;;
esac
((EUID == 0)) || die "this makes files in /etc/baton and starts services: run it as root (sudo)"
for program in batond baton baton-cell baton-router psql; do
  command -v "$program" >/dev/null || die "there is no $program: apt install batond baton baton-cell baton-router postgresql-15"
done

as_postgres() { (cd / && setpriv --reuid postgres --regid postgres --init-groups "$@"); }
as_postgres psql -Atc 'SELECT 1' postgres >/dev/null ||
  die "PostgreSQL does not answer on its socket in /var/run/postgresql: systemctl start postgresql, and run this again"
# The service's user is the database's by its name: no password is anywhere.
[[ $(as_postgres psql -Atc "SELECT 1 FROM pg_roles WHERE rolname = 'baton'" postgres) ]] || as_postgres createuser baton
[[ $(as_postgres psql -Atc "SELECT 1 FROM pg_database WHERE datname = 'baton'" postgres) ]] || as_postgres createdb -O baton baton

name=$(hostname)
tls=/etc/baton/tls
mkdir -p "$tls"
[[ -e $tls/ca ]] || baton certs ca --trust-domain baton.local --out "$tls/ca"
certificate() { # ROLE NAME USER DIRECTORY
  [[ -e $tls/$4 ]] || baton certs issue "$1" "$2" --ip 127.0.0.1 --ca "$tls/ca" --out "$tls/$4"
  chown -R "$3:" "$tls/$4"
}
certificate batond "$name" baton batond
[[ ! $pair ]] || certificate batond "$name-2" baton batond-2
certificate cell "$name" root cell
certificate router "$name" baton-router router
certificate admin root root admin
if command -v baton-web >/dev/null; then certificate web "$name" baton-web web; fi

# Who may do what (docs/guide/security.md). The page shows everything and changes nothing: "most operator" would let it.
access=/etc/baton/access
if [[ ! -e $access ]]; then
  (umask 077; printf 'controller * domains * hostnames *\nrouter *\nweb %s most viewer\n' "$name" > "$access")
  chown baton: "$access"
fi

# A file in which something is set already is left alone.
configure() { # FILE SECTION LINES...
  local file=/etc/baton/$1 section=$2; shift 2
  if grep -qE '^[a-z]' "$file"; then echo "$file is configured already: left as it is"; return; fi
  if [[ $section ]]; then
    local line text=
    for line; do text+="$line\\n"; done
    sed -i "s|^\\[$section\\]\$|[$section]\\n${text%\\n}|" "$file"
  else
    printf '\n%s\n' "$@" >> "$file"
  fi
}
batonds=(127.0.0.1:8891)
shared=('database = "host=/var/run/postgresql dbname=baton user=baton"' "access = \"$access\"")
configure batond.conf '' "${shared[@]}" "tls = \"$tls/batond\""
units=(batond.service)
if [[ $pair ]]; then
  batonds+=(127.0.0.1:8895)
  units+=(batond@2.service)
  [[ -e /etc/baton/batond-2.conf ]] || install -m 0644 /dev/null /etc/baton/batond-2.conf
  configure batond-2.conf '' "${shared[@]}" "tls = \"$tls/batond-2\"" 'listen = "127.0.0.1:8895"' 'metrics = "127.0.0.1:9895"'
fi
addresses=$(printf '"%s", ' "${batonds[@]}")
configure cell.conf run "tls = \"$tls/cell\"" "batond = [${addresses%, }]"
configure router.conf run "tls = \"$tls/router\"" "batond = [${addresses%, }]"
if command -v baton-web >/dev/null; then configure web.conf run "tls = \"$tls/web\"" "batond = [${addresses%, }]"; fi

systemctl enable --now "${units[@]}" baton-cell.service baton-router.service
if command -v baton-web >/dev/null; then systemctl enable --now baton-web.service; fi

# What this script wrote where there was one batond does not know the second.
name_both() { # FILE SERVICE
  local file=/etc/baton/$1
  if grep -qxF "batond = [\"${batonds[0]}\"]" "$file"; then
    sed -i "s|^batond = \\[\"${batonds[0]}\"\\]\$|batond = [${addresses%, }]|" "$file"
    systemctl try-restart "$2"
  elif ! grep -qF "${batonds[1]}" "$file"; then
    echo "$file does not name ${batonds[1]}: add it to batond = [...], or $2 is alone when the first batond ends" >&2
  fi
}
context=$(IFS=,; echo "${batonds[*]}")
if [[ $pair ]]; then
  name_both cell.conf baton-cell.service
  name_both router.conf baton-router.service
  if command -v baton-web >/dev/null; then name_both web.conf baton-web.service; fi
  if baton context list | grep -qE "one-machine +${batonds[0]} "; then baton context remove one-machine; fi
fi
baton context show one-machine >/dev/null 2>&1 || baton context add one-machine --batond "$context" --tls "$tls/admin"
baton context use one-machine
deadline=$((SECONDS + 60))
until baton get cells -o json 2>/dev/null | grep -q "\"$name\""; do
  ((SECONDS < deadline)) || die "the cell has not come to batond within a minute: journalctl -u batond -u baton-cell"
  sleep 0.2
done
[[ ! $pair ]] || echo "two batonds, one of which leads: baton admin versions"
echo "Baton runs: baton get cells"
