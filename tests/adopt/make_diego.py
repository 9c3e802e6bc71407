#!/usr/bin/python3
"""Makes a Diego database of any size: rows as a BBS would have written them, and, with --hostile, rows as it would not.

--manifest FILE says what a faithful adoption has to leave out, and a word that its reason must hold."""

import argparse
import base64
import io
import json
import os
import random
import re
import sys

from diego_format import (NEVER, copy_value, each, element, integer, mapping, message, psql, seal, tables, text)

START_NS = 1_700_000_000_000_000_000
GUID_BYTES = '0123456789abcdef'


class Maker:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.keys = {'label-%d' % i: 'passphrase %d of seed %d' % (i, options.seed) for i in range(options.labels)}
        self.desired, self.actual = [], []
        self.left_out, self.fields, self.taken = [], [], []

    # -- values

    def word(self, length=12):
        return ''.join(self.random.choice(GUID_BYTES) for _ in range(length))

    def some(self, share):
        return self.random.random() < share

    def sealed(self, data):
        label = self.random.choice(list(self.keys))
        return seal(data, label, self.keys[label], self.random.getrandbits(96).to_bytes(12, 'big'))

    def sealed_json(self, value):
        return self.sealed(json.dumps(value, separators=(',', ':')).encode())

    # -- messages

    def tags(self, guid):
        """name -> (static, dynamic)"""
        tags = {'source_id': (guid, 0), 'process_id': (guid, 0)}
        if self.some(0.7):
            tags['instance_id'] = ('', 1)
        if self.some(0.3):
            tags['process_instance_id'] = ('', 2)
        return tags

    def run_info(self, guid, domain, tags, **more):
        def environment(count):
            return [text(1, 'NAME_%d' % i) + text(2, self.word(more.get('env_bytes', 24))) for i in range(count)]

        run = text(1, '/tmp/lifecycle/launcher') + each(2, ['app', 'exec ruby app.rb', '']) + text(3, '/home/vcap/app')
        run += each(4, environment(2)) + text(6, 'vcap') + text(7, 'APP')
        action = element(3, run)
        setup = element(8, each(1, [element(1, text(1, 'droplet') + text(2, 'http://blobs/' + self.word()) +
                                                text(3, '/home/vcap') + text(4, self.word()) + text(6, 'vcap'))]))
        tcp = element(1, integer(1, 8080) + integer(2, 1000))
        http = element(2, integer(1, 8080) + integer(2, 1000) + text(3, '/healthz'))
        data = element(1, text(1, more.get('own_guid', guid)) + text(2, domain) + text(3, guid))
        data += each(2, more.get('environment') or environment(more.get('env', 3)))
        data += element(3, setup) if self.some(0.8) else b''
        data += element(4, action)
        data += element(5, element(3, text(1, '/bin/true') + text(6, 'vcap'))) if self.some(0.2) else b''
        data += integer(6, 60) if self.some(0.1) else b''
        data += integer(7, 1) if self.some(0.1) else b''
        data += integer(8, self.random.randint(1, 100))
        data += b''.join(integer(9, port) for port in (8080, 2222)[:self.random.randint(1, 2)])
        data += each(10, [text(1, 'tcp') + each(2, ['10.0.0.0/8']) + integer(3, 443)]) if self.some(0.5) else b''
        data += text(11, 'APP')
        data += text(12, guid)
        data += integer(13, more.get('created_at', START_NS + self.random.randrange(10**17)))
        data += each(14, [text(1, 'lifecycle') + text(2, 'http://l') + text(3, '/tmp/lifecycle') + text(4, 'lc')])
        data += text(16, '/etc/cf-system-certificates')
        data += each(17, [text(1, driver) + text(3, '/data') + text(6, 'rw') + element(7, text(1, 'volume'))
                          for driver in more.get('drivers', [])])
        data += element(18, mapping(1, {'app_id': guid, 'space_id': self.word()})) if self.some(0.5) else b''
        data += integer(19, more.get('start_timeout_ms', 60_000 if self.some(0.7) else 0))
        data += element(20, each(1, ['app:' + guid])) if self.some(0.6) else b''
        credentials = self.some(0.2)
        data += text(21, 'puller' if credentials else '') + text(22, self.word() if credentials else '')
        data += element(23, each(1, [tcp]) + each(3, [http])) if self.some(0.6) else b''
        if self.options.level < 1722634733:
            data += self.tag_map(25, tags)
        data += each(26, [element(1, element(3, text(1, '/bin/side') + text(6, 'vcap'))) + integer(3, 64)]) \
            if self.some(0.1) else b''
        data += element(27, integer(1, self.random.choice([16384, -1])))
        return data

    @staticmethod
    def tag_map(field, tags):
        return b''.join(element(field, text(1, name) + element(2, text(1, static) + integer(2, dynamic)))
                        for name, (static, dynamic) in sorted(tags.items()))

    @staticmethod
    def json_tags(tags):
        names = {1: 'INDEX', 2: 'INSTANCE_GUID'}
        return {name: {'dynamic': names[dynamic]} if dynamic else {'static': static}
                for name, (static, dynamic) in tags.items()}

    def net_info(self, tls):
        host = self.random.randint(61000, 65000)
        port = integer(1, 8080) + integer(2, host)
        if tls:
            port += integer(3, 61001) + integer(4, host + 1)
        address = '10.0.%d.%d' % (self.random.randrange(256), self.random.randrange(256))
        return text(1, address) + each(2, [port]) + text(3, '10.255.%d.7' % self.random.randrange(256)) + \
            integer(4, 2 if tls and self.some(0.3) else 0)

    # -- rows

    def app(self, guid=None, instances=None, **more):
        guid = guid or '%s-%s' % (self.word(8), self.word(12))
        domain = more.get('domain', self.random.choice(['cf-apps', 'cf-tasks', 'other']))
        tags = more.get('tags') or self.tags(guid)
        drivers = ['nfs'] if self.some(0.1) else []
        routes = more.get('routes')
        if routes is None:
            name = re.sub('[^a-z0-9-]', '-', guid.lower())
            routes = {'cf-router': [{'hostnames': [name + '.example.com', 'www-' + name + '.example.com'],
                                     'port': 8080, 'route_service_url': None, 'isolation_segment': 'é <&>'}]}
            if self.some(0.3):
                routes['internal-router'] = [{'hostname': guid + '.apps.internal'}]
            if self.some(0.2):
                routes['tcp-router'] = [{'router_group_guid': 'g', 'external_port': 1024, 'container_port': 8080}]
        row = {
            'process_guid': guid, 'domain': domain, 'log_guid': guid,
            'annotation': None if self.some(0.1) else 'updated at ' + self.word() + ' \t\\ "ü"',
            'instances': self.options.instances if instances is None else instances,
            'memory_mb': self.random.choice([0, 64, 1024]), 'disk_mb': 1024, 'max_pids': self.random.choice([0, 1024]),
            'rootfs': self.random.choice(['preloaded:cflinuxfs4', 'docker:///busybox#latest']),
            'routes': self.sealed_json(routes),
            'volume_placement': self.sealed(message(each(1, drivers))),
            'placement_tags': self.random.choice([None, '[]', 'null', '["isolated","gpu"]']),
            'modification_tag_epoch': self.word(32), 'modification_tag_index': self.random.randrange(1000),
            'run_info': self.sealed(message(self.run_info(guid, domain, tags, drivers=drivers, **more))),
        }
        if self.options.level >= 1722634733:
            row['metric_tags'] = self.sealed_json(self.json_tags(tags))
        if self.options.level >= 1772581987:
            row['update_strategy'] = int(self.some(0.1))
        row.update(more.get('columns', {}))
        self.desired.append(row)
        for index in range(self.options.instances if instances is None else instances):
            self.instance(guid, index, domain=domain, tags=tags, routes=routes)
        return row

    def instance(self, guid, index, state=None, presence=0, **more):
        state = state or self.random.choices(['RUNNING', 'CLAIMED', 'UNCLAIMED', 'CRASHED'], [92, 3, 3, 2])[0]
        runs = state in ('RUNNING', 'CLAIMED')
        instance_guid = '%s-%s' % (self.word(8), self.word(4)) if runs else ''
        row = {
            'process_guid': guid, 'instance_index': index, 'evacuating': presence == 1,
            'domain': more.get('domain', 'cf-apps'), 'state': state, 'instance_guid': instance_guid,
            'cell_id': 'cell-%02d' % self.random.randrange(40) if runs else '',
            'placement_error': 'insufficient resources: memory' if state == 'UNCLAIMED' and self.some(0.5) else '',
            'since': START_NS + self.random.randrange(10**17),
            'net_info': self.sealed(message(self.net_info(more.get('tls', self.some(0.2))) if state == 'RUNNING' else b'')),
            'modification_tag_epoch': self.word(32), 'modification_tag_index': self.random.randrange(1000),
            'crash_count': self.random.randrange(4) if state != 'CRASHED' else 3,
            'crash_reason': 'APP/PROC/WEB: Exited with status 137 (out of memory) ü' if state == 'CRASHED' else '',
            'presence': presence,
            'internal_routes': self.internal_routes(more.get('routes', {})),
            'metric_tags': self.instance_tags(more.get('tags', {}), index, instance_guid) if runs else None,
            'routable': self.random.choice([True, True, True, None, False]) if state == 'RUNNING' else None,
        }
        if self.options.level >= 1698182853:
            row['availability_zone'] = 'z%d' % self.random.randint(1, 3) if runs else ''
        row.update(more.get('columns', {}))
        self.actual.append(row)
        return row

    def internal_routes(self, routes):
        names = [route['hostname'] for route in routes.get('internal-router', [])]
        return self.sealed_json([{'hostname': name} for name in names]) if names or self.some(0.5) else None

    def instance_tags(self, tags, index, instance_guid):
        value = {0: lambda static: static, 1: lambda _: str(index), 2: lambda _: instance_guid}
        return self.sealed_json({name: value[dynamic](static) for name, (static, dynamic) in tags.items()})

    # -- rows that a BBS would not have written

    def lose(self, table, key, reason):
        self.left_out.append({'table': table, 'key': key, 'reason': reason})

    def bad_app(self, guid, reason, column=None, value=None, **more):
        """An app that cannot be taken over, with an instance that goes with it."""
        if column:
            more['columns'] = {column: value}
        self.app(guid, instances=1, **more)
        self.lose('desired_lrps', guid, reason)
        name = guid + '/0'
        self.lose('actual_lrps', name, 'its app')

    def bad_instance(self, guid, index, reason, state='RUNNING', presence=0, **columns):
        self.instance(guid, index, state, presence, columns=columns)
        name = '%s/%d%s' % (guid, index, ('', ' EVACUATING', ' SUSPECT')[presence] if presence < 3 else ' presence 7')
        self.lose('actual_lrps', name, reason)

    def hostile(self):
        good = self.sealed(message(self.run_info('x', 'd', {})))
        flipped = good[:60] + ('A' if good[60] != 'A' else 'B') + good[61:]
        stranger = seal(b'{}', 'stranger', 'whatever')
        self.bad_app('hostile-empty-run-info', 'run_info: it is empty', 'run_info', '')
        self.bad_app('hostile-unknown-label', "label 'stranger'", 'run_info', stranger)
        self.bad_app('hostile-truncated', 'run_info: it', 'run_info', good[:len(good) // 8 * 4])
        self.bad_app('hostile-stump', 'cut off', 'run_info', '02AAAA')
        self.bad_app('hostile-flipped', 'does not open', 'run_info', flipped)
        self.bad_app('hostile-base64', 'no base64', 'run_info', good[:40] + '*' + good[41:])
        self.bad_app('hostile-encoding', "'07'", 'run_info', '07' + good[2:])
        self.bad_app('hostile-no-message', 'no DesiredLRPRunInfo', 'run_info', self.sealed(message(b'\x0a\xff\xff')))
        self.bad_app('hostile-no-envelope', 'envelope', 'run_info', self.sealed(b'{"action": {}}'))
        self.bad_app('hostile-utf8', 'UTF-8', environment=[element(1, b'N\xff') + text(2, 'x')])
        self.bad_app('hostile-moved', "that of app 'somebody-else'", own_guid='somebody-else')
        self.bad_app('hostile-huge', 'bytes', env=3, env_bytes=700_000)
        self.bad_app('hostile guid ü', 'process_guid')
        self.bad_app('hostile-routes', 'routes: it is no JSON', 'routes', self.sealed(b'[1, 2'))
        self.bad_app('hostile-tags', 'placement_tags', 'placement_tags', '{"a": 1}')
        self.bad_app('hostile-rootfs', 'root_fs', 'rootfs', 'noscheme')
        self.bad_app('hostile-instances', 'instances is -1', 'instances', -1)
        self.bad_app('hostile-placement', 'volume_placement', 'volume_placement', self.sealed(message(b'\x0a\x05a')))
        # Taken over, each in a way of its own.
        encoded = json.dumps({'cf-router': [{'hostnames': ['plain.example.com'], 'port': 8080}]})
        self.app('kept-null-annotation', 1, columns={'annotation': None})
        self.app('kept-json-as-it-is', 1, columns={'routes': encoded})
        self.app('kept-00', 1, columns={'routes': '00' + encoded})
        self.app('kept-01', 1, columns={'routes': '01' + base64.b64encode(encoded.encode()).decode()})
        self.app('kept-slow-start', 1, start_timeout_ms=900_000)
        self.app('kept-no-instances', 0)
        self.app('kept-big', 1, env=1, env_bytes=300_000)
        self.app('kept.Odd_guid:1-2', 1)
        twins = self.app('kept-twins', 0)['process_guid']
        for presence in (0, 1, 2):
            self.instance(twins, 0, 'RUNNING', presence)
        self.instance(twins, 1, 'UNCLAIMED')
        self.instance(twins, 1, 'CLAIMED', 2)
        self.instance(twins, 7, 'RUNNING')  # above the count: convergence's business
        # An app that is taken over, without these of its instances.
        part = self.app('kept-in-part', 0)['process_guid']
        self.instance(part, 0, 'RUNNING')
        self.bad_instance(part, 1, 'net_info', net_info=flipped)
        self.bad_instance(part, 2, 'CRASHED', 'CRASHED', 1)
        self.bad_instance(part, 3, 'cell_id', cell_id='')
        self.bad_instance(part, 4, "'MOVING'", 'MOVING')
        self.bad_instance(part, 5, 'crash_count', crash_count=-2)
        self.bad_instance(part, 6, 'presence', presence=7)
        self.bad_instance(part, -1, 'instance_index', 'UNCLAIMED')
        self.instance('orphaned-app', 0, 'RUNNING')
        self.lose('actual_lrps', 'orphaned-app/0', 'no such app')
        self.instance('orphaned-app', 3, 'RUNNING', 1)
        self.lose('actual_lrps', 'orphaned-app/3 EVACUATING', 'no such app')
        self.odd_fields()

    def odd_fields(self):
        """Apps that are taken over without one of their fields."""
        hostnames = ['a.example.com/path', '*.example.com', '*.*.example.com', 'kept.example.com']
        routes = {'cf-router': [{'hostnames': hostnames, 'port': 8080}]}
        self.app('kept-path-route', 1, routes=routes)
        self.fields.append({'key': 'kept-path-route', 'field': 'routes', 'reason': '(no name, 15 bytes) is no host name'})
        self.app('kept-driver', 1, columns={'volume_placement': self.sealed(message(each(1, ['smb'])))})
        self.fields.append({'key': 'kept-driver', 'field': 'volume_placement', 'reason': 'smb'})

    # -- all of it

    def load(self):
        out = io.StringIO()
        out.write(tables(self.options.level))
        for table, rows in (('desired_lrps', self.desired), ('actual_lrps', self.actual)):
            if not rows:
                continue
            columns = list(rows[0])
            out.write('COPY %s (%s) FROM STDIN;\n' % (table, ', '.join(columns)))
            for row in rows:
                out.write('\t'.join(copy_value(row[column]) for column in columns) + '\n')
            out.write('\\.\n')
        out.write("INSERT INTO domains VALUES ('cf-apps', %d), ('cf-tasks', %d), ('other', 1);\n" %
                  (NEVER, START_NS + 123_456_789_012_345))
        for number in range(self.options.tasks):
            out.write("INSERT INTO tasks (guid, domain, state, task_definition) VALUES ('task-%d', 'cf-tasks', 1, '%s');\n" %
                      (number, self.sealed(message(text(1, 'preloaded:cflinuxfs4')))))
        out.write("INSERT INTO configurations VALUES ('version', '{\"CurrentVersion\":%d}'), ('encryption_key_label', '%s');\n" %
                  (self.options.level, list(self.keys)[-1]))
        psql(self.options.url, 'BEGIN;\n' + out.getvalue() + 'COMMIT;\nANALYZE;\n')


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument('--url', required=True, help='an empty database')
    options.add_argument('--apps', type=int, default=20)
    options.add_argument('--instances', type=int, default=3, help='of each app')
    options.add_argument('--tasks', type=int, default=2)
    options.add_argument('--labels', type=int, default=2, help='key labels; the last one is the active one')
    options.add_argument('--level', type=int, default=1772581987)
    options.add_argument('--seed', type=int, default=1)
    options.add_argument('--hostile', action='store_true')
    options.add_argument('--keys', required=True, help='file to write the passphrases to')
    options.add_argument('--manifest', help='file to write what must be left out to')
    maker = Maker(options.parse_args())
    for _ in range(maker.options.apps):
        maker.app()
    if maker.options.hostile:
        maker.hostile()
    maker.load()
    with open(maker.options.keys, 'w', opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        json.dump({'encryption_keys': maker.keys}, file)
    if maker.options.manifest:
        with open(maker.options.manifest, 'w') as file:
            json.dump({'left_out': maker.left_out, 'fields': maker.fields, 'apps': len(maker.desired),
                       'instances': len(maker.actual)}, file)
    print('%d apps, %d instances at level %d' % (len(maker.desired), len(maker.actual), maker.options.level))


if __name__ == '__main__':
    sys.exit(main())
