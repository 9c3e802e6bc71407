#!/usr/bin/env python3
"""A small cloud controller that speaks baton.v1: what FILE wants is desired. sync.py HOST:PORT[,...] FILE [TLS-DIR]

FILE: {"domain": "...", "apps": [{"desired_lrp": {...}, "identifier": "v2"}, ...]}, each desired_lrp as protobuf's JSON of
baton.v1.DesiredLRP; identifier may be left out. It is read anew for each pass.
"""
import hashlib
import json
import sys
import time

import grpc
from baton.v1 import bbs_service_pb2_grpc as services, desired_lrp_pb2, error_pb2, requests_pb2 as api
from google.protobuf import json_format

addresses, path, tls = sys.argv[1].split(","), sys.argv[2], sys.argv[3:]
FRESH_FOR_S = 120


def dial(address):
    if not tls:
        return grpc.insecure_channel(address)
    files = []
    for name in ("ca.pem", "key.pem", "cert.pem"):
        with open(f"{tls[0]}/{name}", "rb") as file:
            files.append(file.read())
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(*files))


class Refused(Exception):
    pass


def wanted():
    """What FILE holds: domain, and by guid the app and its name. The annotation tells what was desired last."""
    with open(path) as file:
        content = json.load(file)
    apps = {}
    for entry in content["apps"]:
        app = json_format.ParseDict(entry["desired_lrp"], desired_lrp_pb2.DesiredLRP())
        app.domain = content["domain"]
        app.annotation = hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()
        apps[app.process_guid] = (app, entry.get("identifier"))
    return content["domain"], apps


def done(what, answer):
    """Diego's answers carry their errors. One app that is refused stands in no other's way."""
    if not answer.HasField("error"):
        print(what, flush=True)
        return True
    kind = error_pb2.Error.Type.Name(answer.error.type)
    if kind not in ("ResourceExists", "ResourceNotFound"):  # those: somebody was faster, the next pass looks again
        print(f"{what}: {kind}: {answer.error.message}", file=sys.stderr, flush=True)
    return False


def update_to(app, identifier):
    """Everything of the app; what Diego's update has fields for is said there, so that it may become nothing, too."""
    update = api.UpdateDesiredLRPRequest(process_guid=app.process_guid)
    update.update.instances = app.instances
    update.update.annotation = app.annotation
    update.update.routes.CopyFrom(app.routes)
    update.update.desired_lrp.CopyFrom(app)
    if identifier:
        update.update.update_identifier = identifier
        update.update.reactivate = True  # FILE may go back to it; the next pass sees to it that the last word counts
    return update


def sync(channel):
    domain, apps = wanted()
    desired = services.DesiredLRPsStub(channel)
    pages = desired.ListSchedulingInfos(api.DesiredLRPsRequest(domain=domain), timeout=30)
    there = {}
    for page in pages:
        if page.HasField("error"):
            raise Refused(page.error.message)
        there.update({info.desired_lrp_key.process_guid: info for info in page.desired_lrp_scheduling_infos})
    all_done = True
    for guid, (app, identifier) in apps.items():
        if guid not in there:
            all_done &= done(f"desire {guid}", desired.DesireLRP(api.DesireLRPRequest(desired_lrp=app), timeout=10))
        elif there[guid].annotation != app.annotation:
            all_done &= done(f"update {guid}", desired.UpdateDesiredLRP(update_to(app, identifier), timeout=10))
    for guid in there.keys() - apps.keys():
        request = api.RemoveDesiredLRPRequest(process_guid=guid)
        all_done &= done(f"remove {guid}", desired.RemoveDesiredLRP(request, timeout=10))
    if not all_done:
        return  # what is desired is not all that is wanted: nobody may clean up by it
    answer = services.DomainsStub(channel).UpsertDomain(api.UpsertDomainRequest(domain=domain, ttl=FRESH_FOR_S), timeout=10)
    if answer.HasField("error"):
        raise Refused(answer.error.message)


while True:
    pause = 1.0
    try:
        with dial(addresses[0]) as channel:
            sync(channel)
    except grpc.RpcError as error:  # nothing was decided: ask again when it says, or somebody else
        trailers = dict(error.trailing_metadata() or ())
        leader = trailers.get("baton-leader")
        pause = int(trailers.get("baton-retry-after-ms", 200)) / 1000
        if leader in addresses:
            addresses.remove(leader)
            addresses.insert(0, leader)
        else:
            addresses.append(addresses.pop(0))
    except (Refused, OSError, ValueError, KeyError, json_format.ParseError) as wrong:  # somebody has to look
        print(f"{type(wrong).__name__}: {wrong}", file=sys.stderr, flush=True)
    time.sleep(pause)
