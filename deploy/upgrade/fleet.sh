#!/bin/bash
# Upgrades the packages of a fleet in the order that its users do not notice, and goes on only when what it waits for is so:
#
#   fleet.sh BATOND,BATOND... CELL,CELL... ROUTER,ROUTER... [WEB,WEB...]        machines as ssh knows them
#
# Standbys, then the leader; cells one after the other, each when it is connected again; routers likewise; last the machines of the page,
# which asks batond for what only a new one answers. It stops at the first machine where something is not as it should be, and says where:
# run it again once that is mended. It asks by `baton`, which needs a context (baton context). Data of another schema is migrated by no package: batond says so, and it stops there (docs/guide/upgrades.md).
#
#   ON       how a command is run on a machine: "$ON MACHINE COMMAND...", which a shell there reads; default: ssh
#   INSTALL  what installs the new packages there; default: apt-get -q -y install --only-upgrade, and the package
#   WAIT     seconds to wait for each condition; default: 120
set -euo pipefail

say() { printf 'fleet: %s\n' "$*"; }
die() { printf 'fleet: %s\n' "$*" >&2; exit 1; }
(($# == 3 || $# == 4)) || die "usage: fleet.sh BATOND,... CELL,... ROUTER,... [WEB,...]"
IFS=, read -r -a batonds <<<"$1"
IFS=, read -r -a cells <<<"$2"
IFS=, read -r -a routers <<<"$3"
IFS=, read -r -a webs <<<"${4:-}"
read -r -a on <<<"${ON:-ssh}"
install=${INSTALL:-apt-get -q -y install --only-upgrade}
wait=${WAIT:-120}

at() { "${on[@]}" "$@" </dev/null; }
await() { # WHAT COMMAND...
  local what=$1 deadline=$((SECONDS + wait)); shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || die "$what: not so after $wait s; nothing further was upgraded"
    sleep 0.5
  done
  say "$what"
}

leads() { baton ping >/dev/null; }
active() { at "$1" systemctl is-active --quiet "$2"; }
# What batond itself tells systemd (STATUS=) names its state.
state_of() { at "$1" systemctl show -p StatusText --value batond.service; }
is_leader() { [[ $(state_of "$1") == LEADING* ]]; }
stands() { local state; state=$(state_of "$1"); [[ $state == STANDBY* || $state == LEADING* ]]; }
installed() { at "$1" dpkg-query -W "$2" | cut -f 2; }
# The program that runs is the one that is installed: not one whose file was replaced under it.
runs_new() { [[ $(at "$1" "readlink /proc/\$(systemctl show -p MainPID --value $2.service)/exe") != *deleted* ]]; }

upgrade() { # MACHINE PACKAGE
  local before after
  before=$(installed "$1" "$2")
  # shellcheck disable=SC2086  # words
  at "$1" env DEBIAN_FRONTEND=noninteractive $install "$2" >/dev/null || die "$1: $2 could not be installed"
  after=$(installed "$1" "$2")
  say "$1: $2 $before -> $after"
  await "$1: $2 runs" active "$1" "$2"
  runs_new "$1" "$2" || die "$1: $2 was installed and not restarted, as its data is of another schema: docs/guide/upgrades.md"
}

connected() { baton describe cell "$(at "$1" hostname)" -o yaml | grep -q '^ *connected: true$'; }

await "a batond leads" leads
leader=
for machine in "${batonds[@]}"; do
  if is_leader "$machine"; then leader=$machine; continue; fi
  upgrade "$machine" batond
  await "$machine: stands by" stands "$machine"
done
if [[ $leader ]]; then
  upgrade "$leader" batond
  await "$leader: stands by or leads" stands "$leader"
fi
await "a batond leads" leads
baton admin versions
for machine in "${cells[@]}"; do
  upgrade "$machine" baton-cell
  await "$machine: its cell is connected" connected "$machine"
done
for machine in "${routers[@]}"; do upgrade "$machine" baton-router; done
for machine in "${webs[@]}"; do upgrade "$machine" baton-web; done
baton admin versions
say "done: ${#batonds[@]} batonds, ${#cells[@]} cells, ${#routers[@]} routers, ${#webs[@]} pages"
