#!/usr/bin/python3
"""Holds a Baton database against the Diego database that it was adopted from, field by field. Both are read by psql and
opened here; Baton's plain envelope has a header of 4 bytes. Prints each difference; exit status 1 if there is any."""

import argparse
import json
import re
import subprocess
import sys

from diego_format import NEVER, fields, first, unseal, unwrap

STATES = ('UNCLAIMED', 'CLAIMED', 'RUNNING', 'CRASHED')
PRESENCES = ('ORDINARY', 'EVACUATING', 'SUSPECT')
NOT_THE_DEFINITIONS = (1, 13, 21, 22, 25)  # key, created_at, credentials, metric tags


def rows(url, query):
    done = subprocess.run(['psql', '-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c',
                           "SET TimeZone = 'UTC'", '-c', 'SELECT to_jsonb(q) FROM (%s) q' % query],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit('psql: ' + done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{')]


def plain(blob):
    data = bytes.fromhex(blob[2:])
    if data[:4] != b'BT\x01\x00':
        raise SystemExit('no plain envelope: %r' % data[:8])
    return data[4:]


def micros(nanos):
    return 'micros:%d' % (nanos // 1000)


class Comparison:
    def __init__(self, options):
        self.options = options
        with open(options.keys) as file:
            self.keys = json.load(file)['encryption_keys']
        with open(options.report) as file:
            report = json.load(file)
        self.left_out = {(line['table'], line['key']) for line in report['left_out'] if line['kind'] == 'ROW'}
        self.lost_fields = {(line['key'], line['field']) for line in report['left_out'] if line['kind'] == 'FIELD'}
        self.differences = []
        self.compared = 0

    def open(self, column):
        return unseal(column, self.keys)

    def same(self, where, field, source, target):
        self.compared += 1
        if source != target:
            self.differences.append('%s: %s is %.200r, was %.200r' % (where, field, target, source))

    # -- what a source row ought to have become

    def tags(self, row, run_info):
        if row.get('metric_tags'):
            value = json.loads(self.open(row['metric_tags']))
            return {name: (tag.get('static', ''), {None: 0, 'INDEX': 1, 'INSTANCE_GUID': 2}[tag.get('dynamic')])
                    for name, tag in value.items()}
        return self.proto_tags(run_info, 25)

    @staticmethod
    def proto_tags(data, field):
        tags = {}
        for number, entry in fields(data):
            if number == field:
                value = first(entry, 2, b'')
                tags[first(entry, 1, b'').decode()] = (first(value, 1, b'').decode(), first(value, 2, 0))
        return tags

    def app(self, row, target, definition):
        where = row['process_guid']
        run_info = unwrap(self.open(row['run_info']))
        kept = sorted((number, value) for number, value in fields(run_info) if number not in NOT_THE_DEFINITIONS)
        self.same(where, 'run_info', kept, sorted(fields(plain(definition['run_info']))))
        self.same(where, 'definition', definition['definition_identifier'], target['active_definition'])
        self.same(where, 'identifier', True, bool(re.fullmatch('[0-9a-f]{64}', definition['definition_identifier'])))
        self.same(where, 'content hash', definition['definition_identifier'], definition['content_hash'])
        for source, column in (('memory_mb', 'memory_mb'), ('disk_mb', 'disk_mb'), ('max_pids', 'max_pids'),
                               ('rootfs', 'root_fs')):
            self.same(where, column, row[source], definition[column])
        self.same(where, 'placement_tags', json.loads(row['placement_tags'] or 'null') or [],
                  definition['placement_tags'])
        self.same(where, 'ports', [value for number, value in fields(run_info) if number == 9], definition['ports'])
        seconds = first(run_info, 6, 0)
        self.same(where, 'start timeout', first(run_info, 19, 0) or seconds * 1000, definition['start_timeout_ms'])
        for column in ('domain', 'log_guid', 'instances', 'modification_tag_epoch', 'modification_tag_index'):
            self.same(where, column, row[column], target[column])
        self.same(where, 'annotation', row['annotation'] or '', plain(target['annotation']).decode())
        self.same(where, 'metric_tags', self.tags(row, run_info), self.proto_tags(plain(target['metric_tags']), 1))
        credentials = plain(target['credentials'])
        for number in (21, 22):
            self.same(where, 'credentials', first(run_info, number, b''), first(credentials, number - 20, b''))
        recreate = first(plain(target['strategy']), 1, 0)
        self.same(where, 'strategy', (row.get('update_strategy') or 0) == 1, recreate == 2)
        created = first(run_info, 13, 0)
        if created:
            self.same(where, 'created_at', micros(created), target['created_micros'])
        if (where, 'routes') not in self.lost_fields:
            self.routes(where, row, target)

    def routes(self, where, row, target):
        stored = {first(entry, 1, b'').decode(): json.loads(first(entry, 2, b'null'))
                  for _, entry in fields(plain(target['routes']))}
        self.same(where, 'routes', json.loads(self.open(row['routes'])) or {}, stored)

    def instance(self, where, row, target):
        for column in ('instance_index', 'state', 'instance_guid', 'cell_id', 'domain', 'crash_count',
                       'modification_tag_epoch', 'modification_tag_index'):
            self.same(where, column, row[column], target[column])
        self.same(where, 'zone', row.get('availability_zone') or '', target['zone'])
        self.same(where, 'since', micros(row['since']), target['since_micros'])
        for column in ('crash_reason', 'placement_error'):
            self.same(where, column, row[column], plain(target[column]).decode())
        routable = row['state'] == 'RUNNING' and row['routable'] is not False
        self.same(where, 'routable', routable, target['routable_since'] is not None)
        info = unwrap(self.open(row['net_info'])) if row['net_info'] else b''
        stored = plain(target['net_info'])
        for number in (1, 3):
            self.same(where, 'address', first(info, number, b''), first(stored, number, b''))
        ports = [[[first(port, n, 0) for n in (1, 2)] for f, port in fields(data) if f == 2] for data in (info, stored)]
        self.same(where, 'ports', *ports)

    # -- all of it

    def run(self):
        url = self.options.target
        desired = {row['process_guid']: row for row in rows(url, '''
            SELECT *, 'micros:' || (extract(epoch FROM created_at) * 1000000)::bigint AS created_micros
            FROM desired_lrps''')}
        definitions = {row['process_guid']: row for row in rows(url, 'SELECT * FROM definitions')}
        actual = {(row['process_guid'], row['instance_index'], row['presence']): row for row in rows(url, '''
            SELECT *, 'micros:' || (extract(epoch FROM since) * 1000000)::bigint AS since_micros FROM actual_lrps''')}
        runs = set()
        for row in rows(self.options.source, 'SELECT * FROM actual_lrps'):
            presence = PRESENCES[row['presence']] if row['presence'] < 3 else 'presence %d' % row['presence']
            name = '%s/%d' % (row['process_guid'], row['instance_index']) + ('' if presence == 'ORDINARY' else ' ' + presence)
            target = actual.pop((row['process_guid'], row['instance_index'], presence), None)
            if target is None:
                self.same(name, 'named in the report', True, ('actual_lrps', name) in self.left_out)
                continue
            self.instance(name, row, target)
            self.same(name, 'definition', definitions[row['process_guid']]['definition_identifier'],
                      target['definition_identifier'])
            if row['state'] == 'RUNNING':
                runs.add(row['process_guid'])
        for row in rows(self.options.source, 'SELECT * FROM desired_lrps'):
            guid = row['process_guid']
            if guid not in desired:
                self.same(guid, 'named in the report', True, ('desired_lrps', guid) in self.left_out)
                continue
            definition, target = definitions.pop(guid), desired.pop(guid)
            self.app(row, target, definition)
            self.same(guid, 'proven', guid in runs, definition['proven_at'] is not None)
            self.same(guid, 'healthy', definition['definition_identifier'] if guid in runs else None,
                      target['healthy_definition'])
        for what, left in (('instance', actual), ('app', desired), ('definition', definitions)):
            for key in left:
                self.differences.append('%s %s is not in the source' % (what, key))
        domains = {row['domain']: row for row in rows(url, '''
            SELECT domain, 'micros:' || (extract(epoch FROM expires_at) * 1000000)::bigint AS at FROM domains''')}
        for row in rows(self.options.source, 'SELECT * FROM domains'):
            expected = None if row['expire_time'] == NEVER else micros(row['expire_time'])
            self.same('domain ' + row['domain'], 'expires', expected, domains.pop(row['domain'])['at'])
        self.same('domains', 'others', {}, domains)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    for name in ('source', 'keys', 'target', 'report'):
        options.add_argument('--' + name, required=True)
    comparison = Comparison(options.parse_args())
    comparison.run()
    for difference in comparison.differences[:100]:
        print(difference)
    print('%d comparisons, %d differences' % (comparison.compared, len(comparison.differences)))
    return 1 if comparison.differences or comparison.compared == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
