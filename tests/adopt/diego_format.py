"""Diego's stored format, as docs/guide/adopt.md tells it, written a second time: nothing here is taken from Baton's sources,
so that a mistake of the reading code does not show in what it is tested with."""

import base64
import hashlib
import os
import subprocess

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NEVER = 2**63 - 1
LEVELS = (1686692176, 1698182853, 1722634733, 1764949919, 1772581987)


# --- protobuf, by field numbers ---------------------------------------------------------------------------------------

def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def integer(field, value):
    return varint(field << 3) + varint(value) if value else b''


def element(field, data):
    """A text, bytes or message that is there even if empty."""
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def text(field, value):
    return element(field, value) if value else b''


def each(field, values):
    return b''.join(element(field, value) for value in values)


def mapping(field, pairs, value_field=element):
    return b''.join(element(field, text(1, key) + value_field(2, pairs[key])) for key in sorted(pairs))


def fields(data):
    """[(number, value)]: an int, or bytes. Raises ValueError where it is no message."""
    at, found = 0, []

    def take():
        nonlocal at
        number = shift = 0
        while True:
            if at >= len(data):
                raise ValueError('cut off')
            byte = data[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while at < len(data):
        key = take()
        if key & 7 == 0:
            found.append((key >> 3, take()))
        elif key & 7 == 2:
            length = take()
            if at + length > len(data):
                raise ValueError('cut off')
            found.append((key >> 3, data[at:at + length]))
            at += length
        else:
            raise ValueError('wire type %d' % (key & 7))
    return found


def first(data, number, default):
    return next((value for found, value in fields(data) if found == number), default)


# --- the column -------------------------------------------------------------------------------------------------------

def key_of(passphrase):
    return hashlib.sha256(passphrase.encode()).digest()


def seal(data, label, passphrase, nonce=None):
    nonce = nonce or os.urandom(12)
    sealed = AESGCM(key_of(passphrase)).encrypt(nonce, data, None)
    return '02' + base64.b64encode(bytes([len(label)]) + label.encode() + nonce + sealed).decode()


def unseal(column, keys):
    """The bytes of a column. Raises where it does not open."""
    if column[:2] == '00':
        return column[2:].encode()
    if column[:1] not in tuple('0123456789'):
        return column.encode()
    data = base64.b64decode(column[2:], validate=True)
    if column[:2] == '01':
        return data
    label = data[1:1 + data[0]].decode()
    nonce, sealed = data[1 + data[0]:13 + data[0]], data[13 + data[0]:]
    return AESGCM(key_of(keys[label])).decrypt(nonce, sealed, None)


def message(data):
    """A protobuf message in its envelope of two bytes."""
    return b'\x02\x00' + data


def unwrap(data):
    if data[:1] != b'\x02':
        raise ValueError('no envelope')
    return data[2:]


# --- the tables -------------------------------------------------------------------------------------------------------

def tables(level):
    """The DDL of a level of Diego."""
    desired = actual = ''
    if level >= 1698182853:
        actual += ', availability_zone VARCHAR(255) NOT NULL DEFAULT \'\''
    if level >= 1722634733:
        desired += ', metric_tags TEXT'
    if level >= 1772581987:
        desired += ', update_strategy INT DEFAULT 0'
    extra = 'CREATE TABLE bbs_health_check (id INT PRIMARY KEY, time BIGINT);' if level >= 1764949919 else ''
    return f'''
CREATE TABLE domains (domain VARCHAR(255) PRIMARY KEY, expire_time BIGINT DEFAULT 0);
CREATE INDEX domains_expire_time_idx ON domains (expire_time);
CREATE TABLE desired_lrps (
  process_guid VARCHAR(255) PRIMARY KEY, domain VARCHAR(255) NOT NULL, log_guid VARCHAR(255) NOT NULL, annotation TEXT,
  instances INT NOT NULL, memory_mb INT NOT NULL, disk_mb INT NOT NULL, rootfs VARCHAR(1024) NOT NULL,
  routes TEXT NOT NULL, volume_placement TEXT NOT NULL, modification_tag_epoch VARCHAR(255) NOT NULL,
  modification_tag_index INT, run_info TEXT NOT NULL, placement_tags TEXT, max_pids INT DEFAULT 0{desired});
CREATE INDEX desired_lrps_domain_idx ON desired_lrps (domain);
CREATE TABLE actual_lrps (
  process_guid VARCHAR(255), instance_index INT, evacuating BOOL DEFAULT false, domain VARCHAR(255) NOT NULL,
  state VARCHAR(255) NOT NULL, instance_guid VARCHAR(255) NOT NULL DEFAULT '', cell_id VARCHAR(255) NOT NULL DEFAULT '',
  placement_error VARCHAR(1024) NOT NULL DEFAULT '', since BIGINT DEFAULT 0, net_info TEXT NOT NULL,
  modification_tag_epoch VARCHAR(255) NOT NULL, modification_tag_index INT, crash_count INT NOT NULL DEFAULT 0,
  crash_reason VARCHAR(1024) NOT NULL DEFAULT '', expire_time BIGINT DEFAULT 0, presence INT NOT NULL DEFAULT 0,
  internal_routes TEXT, metric_tags TEXT, routable BOOL{actual},
  PRIMARY KEY (process_guid, instance_index, presence));
CREATE INDEX actual_lrps_domain_idx ON actual_lrps (domain);
CREATE INDEX actual_lrps_cell_id_idx ON actual_lrps (cell_id);
CREATE INDEX actual_lrps_since_idx ON actual_lrps (since);
CREATE INDEX actual_lrps_state_idx ON actual_lrps (state);
CREATE TABLE tasks (
  guid VARCHAR(255) PRIMARY KEY, domain VARCHAR(255) NOT NULL, updated_at BIGINT DEFAULT 0, created_at BIGINT DEFAULT 0,
  first_completed_at BIGINT DEFAULT 0, state INT, cell_id VARCHAR(255) NOT NULL DEFAULT '', result TEXT,
  failed BOOL DEFAULT false, failure_reason VARCHAR(1024) NOT NULL DEFAULT '', task_definition TEXT NOT NULL,
  rejection_count INT NOT NULL DEFAULT 0, rejection_reason VARCHAR(1024) NOT NULL DEFAULT '');
CREATE TABLE configurations (id VARCHAR(255) PRIMARY KEY, value VARCHAR(255));
{extra}'''


def psql(url, script):
    """Runs a script of SQL and psql's own commands; what it printed."""
    done = subprocess.run(['psql', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, '-f', '-'], input=script,
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit('psql: ' + done.stderr)
    return done.stdout


def copy_value(value):
    """A value as COPY reads it."""
    if value is None:
        return '\\N'
    if isinstance(value, bool):
        return 't' if value else 'f'
    return str(value).replace('\\', '\\\\').replace('\t', '\\t').replace('\n', '\\n').replace('\r', '\\r')
