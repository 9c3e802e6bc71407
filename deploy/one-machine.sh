#!/bin/bash
# All of Baton on this machine, out of its packages: a database in the PostgreSQL that is installed, certificates in /etc/baton/tls, the
# configuration files, the services, and a context for root's `baton`; the page, too, where baton-web is installed. What is there already
# stays as it is, so it can be run again. /usr/share/doc/baton/guide/install.md says what to do for more machines.
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

# What a file says already stays: a line is added where nothing says what it says. [run] may stand there several times.
value_of() { sed -nE "s/^ *$2 *= *\"?([^\"]*)\"? *\$/\1/p" "/etc/baton/$1" | head -n 1; } # FILE NAME
configure() { # FILE SECTION LINES...
  local file=/etc/baton/$1 section=$2 line name there lines=(); shift 2
  for line; do
    name=${line%% *}
    case $name in
      database) name='(database|embedded)' ;;
      tls) name='(tls|insecure)' ;;
    esac
    if grep -qxF "$line" "$file"; then continue; fi
    if ! grep -qE "^ *$name *=" "$file"; then lines+=("$line"); continue; fi
    there=$(grep -m 1 -E "^ *$name *=" "$file")
    [[ $name == batond && $there == *"${batonds[0]}"* ]] || echo "$file: left as it is: $there"
  done
  ((${#lines[@]})) || return 0
  if [[ $section ]] && grep -qxF "[$section]" "$file"; then
    printf '%s\n' "${lines[@]}" | sed -i "/^\\[$section\\]\$/r /dev/stdin" "$file"
  elif [[ $section ]]; then
    printf '%s\n' "[$section]" "${lines[@]}" >> "$file"
  else
    printf '\n%s\n' "${lines[@]}" >> "$file"
  fi
}
# Where the batond of this file is asked from here: certificates are for 127.0.0.1.
address_of() { local listen; listen=$(value_of "$1" listen); listen=${listen:-$2}; echo "127.0.0.1:${listen##*:}"; } # FILE DEFAULT
shared=('database = "host=/var/run/postgresql dbname=baton user=baton"' "access = \"$access\"")
configure batond.conf '' "${shared[@]}" "tls = \"$tls/batond\""
batonds=("$(address_of batond.conf 127.0.0.1:8891)")
units=(batond.service)
if [[ $pair ]]; then
  units+=(batond@2.service)
  [[ -e /etc/baton/batond-2.conf ]] || install -m 0644 /dev/null /etc/baton/batond-2.conf
  configure batond-2.conf '' "${shared[@]}" "tls = \"$tls/batond-2\"" 'listen = "127.0.0.1:8895"' 'metrics = "127.0.0.1:9895"'
  batonds+=("$(address_of batond-2.conf 127.0.0.1:8895)")
fi
start() { # UNITS...
  local unit
  for unit; do
    systemctl enable --now "$unit" && continue
    journalctl --no-pager -o cat -n 3 -u "$unit" >&2 || true
    die "$unit does not start: journalctl -u ${unit%.service} says why; put that right in /etc/baton, and run this again"
  done
}
# Others are told of them only now: what is wrong in their files may be put right first, the address too.
start "${units[@]}"

addresses=$(printf '"%s", ' "${batonds[@]}")
# What this script wrote where there was one batond does not know the second.
name_both() { # FILE SERVICE
  local file=/etc/baton/$1
  if grep -qxF "batond = [\"${batonds[0]}\"]" "$file"; then
    sed -i "s|^batond = \\[\"${batonds[0]}\"\\]\$|batond = [${addresses%, }]|" "$file"
    systemctl try-restart "$2"
  elif grep -qE '^ *batond *=' "$file" && ! grep -qF "${batonds[1]}" "$file"; then
    echo "$file does not name ${batonds[1]}: add it to batond = [...], or $2 is alone when the first batond ends" >&2
  fi
}
ask_batond() { # FILE SERVICE LINES...
  local file=$1 service=$2; shift 2
  [[ ! $pair ]] || name_both "$file" "$service"
  configure "$file" run "batond = [${addresses%, }]" "$@"
}
ask_batond cell.conf baton-cell.service "tls = \"$tls/cell\"" 'metrics = "127.0.0.1:9892"'
ask_batond router.conf baton-router.service "tls = \"$tls/router\"" 'metrics = "127.0.0.1:9893"'
units=(baton-cell.service baton-router.service)
if command -v baton-web >/dev/null; then
  ask_batond web.conf baton-web.service "tls = \"$tls/web\""
  units+=(baton-web.service)
fi
start "${units[@]}"

context=$(IFS=,; echo "${batonds[*]}")
known=$(baton context list 2>/dev/null | grep -E '\bone-machine ' || true)
if [[ $pair && $known == *" ${batonds[0]} "* ]]; then baton context remove one-machine; known=; fi
[[ $known ]] || baton context add one-machine --batond "$context" --tls "$tls/admin"
[[ ! $known || $known == *" ${batonds[0]}"* ]] ||
  echo "context one-machine does not name ${batonds[0]}: left as it is (baton context remove one-machine, and run this again)" >&2
baton context use one-machine
deadline=$((SECONDS + 60))
until baton get cells -o json --batond "$context" --tls "$tls/admin" 2>/dev/null | grep -q "\"$name\""; do
  ((SECONDS < deadline)) || die "the cell has not come to batond at $context within a minute: does /etc/baton/cell.conf name it? journalctl -u batond -u baton-cell"
  sleep 0.2
done
[[ ! $pair ]] || echo "two batonds, one of which leads: baton admin status"
echo "Baton runs: baton get cells"
