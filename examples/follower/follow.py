#!/usr/bin/env python3
"""Keeps a table of all instances, through restarts of batond and of itself: follow.py HOST:PORT[,...] FILE [TLS-DIR]"""
import json
import os
import sys
import time

import grpc
from baton.v2 import actual_lrp_pb2, events_service_pb2 as api, events_service_pb2_grpc

addresses, path, tls = sys.argv[1].split(","), sys.argv[2], sys.argv[3:]
state = {"sequence": None, "instances": {}}
if os.path.exists(path):
    with open(path) as file:
        state = json.load(file)

def dial(address):
    if not tls:
        return grpc.insecure_channel(address)
    files = []
    for name in ("ca.pem", "key.pem", "cert.pem"):
        with open(f"{tls[0]}/{name}", "rb") as file:
            files.append(file.read())
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(*files))

def row(lrp):
    presence = actual_lrp_pb2.Presence.Name(lrp.presence)
    return {"app": lrp.process_guid, "index": lrp.index, "definition": lrp.definition_identifier,
            "state": lrp.state, "presence": presence, "cell": lrp.instance_key.cell_id}

def follow(stub):
    request = api.SubscribeRequest(kinds=["actual"], snapshot=True)
    table = {}  # of a snapshot: it counts only when it is complete
    if state["sequence"] is not None:  # resumed: exactly what was missed
        request = api.SubscribeRequest(kinds=["actual"], after_sequence=state["sequence"])
        table = state["instances"]
    for answer in stub.Subscribe(request):
        table.update({lrp.actual_id: row(lrp) for lrp in answer.snapshot.actual_lrps})
        for event in answer.events:
            if event.HasField("actual_after"):
                table[event.actual_after.actual_id] = row(event.actual_after)
            elif event.HasField("actual_before"):
                table.pop(event.actual_before.actual_id, None)
        if state["sequence"] is not None or answer.snapshot_complete:
            state.update(sequence=answer.sequence, instances=table)
            with open(path + ".new", "w") as file:
                json.dump(state, file)
            os.replace(path + ".new", path)  # table and place change together

while True:
    try:
        with dial(addresses[0]) as channel:
            follow(events_service_pb2_grpc.EventsStub(channel))
    except grpc.RpcError as error:
        if error.code() == grpc.StatusCode.OUT_OF_RANGE:
            state["sequence"] = None  # too long ago: list again
    addresses.append(addresses.pop(0))  # the next batond may lead by now
    time.sleep(0.2)
