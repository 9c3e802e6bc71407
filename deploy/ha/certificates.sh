#!/usr/bin/env bash
# The certificates of deploy/ha, by `baton certs`: one authority for batond and what speaks with it, another one for the
# database, so that no machine of the one side passes for one of the other.
#
#   DB1=10.0.0.11 deploy/ha/certificates.sh DIR      addresses that differ from those of the files beside this one
#
# Afterwards DIR/db1 is to be /var/lib/baton-db/tls of db1 (chown -R postgres), DIR/etcd1 /var/lib/etcd/tls of etcd1 (chown -R etcd),
# DIR/batond-1 /etc/baton/tls of batond-1, and DIR/db-authority/ca.pem /etc/baton/db-ca.pem of both batonds. The two authorities
# stay where they are, away from all of these machines.
set -euo pipefail
(($# == 1)) || { printf 'usage: %s DIR\n' "$0" >&2; exit 2; }
dir=$1 baton=${BATON:-baton}
umask 077
mkdir -p "$dir"

"$baton" certs ca --trust-domain db.baton.example --out "$dir/db-authority"
database() { "$baton" certs issue database "$1" --ip "$2" --ca "$dir/db-authority" --out "$dir/$1"; }
database db1 "${DB1:-10.0.0.11}"
database db2 "${DB2:-10.0.0.12}"
database etcd1 "${ETCD1:-10.0.0.21}"
database etcd2 "${ETCD2:-10.0.0.22}"
database etcd3 "${ETCD3:-10.0.0.23}"

"$baton" certs ca --trust-domain baton.example --out "$dir/authority"
"$baton" certs issue batond batond-1 --ip "${BATOND1:-10.0.0.1}" --ca "$dir/authority" --out "$dir/batond-1"
"$baton" certs issue batond batond-2 --ip "${BATOND2:-10.0.0.2}" --ca "$dir/authority" --out "$dir/batond-2"
"$baton" certs issue admin alice --ca "$dir/authority" --out "$dir/alice"
