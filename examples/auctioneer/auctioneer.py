#!/usr/bin/env python3
"""Decides where instances go, for batond --auctioneer: auctioneer.py [--tls DIR] HOST:PORT. Fills one cell after the other.

DIR has ca.pem, cert.pem and key.pem of an auctioneer (baton certs issue auctioneer NAME). Without it anybody may ask; batond
does so with --insecure alone."""
import argparse
from concurrent import futures

import grpc
from baton.v2 import auctioneer_service_pb2 as api, auctioneer_service_pb2_grpc


def is_batond(context):
    # TLS has found that the certificate is genuine; who it is of is its one URI SAN.
    uris = [uri.decode() for uri in context.auth_context().get("peer_uri", [])]
    return len(uris) == 1 and "/role/batond/" in uris[0]


class FillOneAfterTheOther(auctioneer_service_pb2_grpc.AuctioneerServicer):
    def __init__(self, over_tls):
        self.over_tls = over_tls

    def Place(self, request, context):
        if self.over_tls and not is_batond(context):
            context.abort(grpc.StatusCode.PERMISSION_DENIED, "only a batond asks an auctioneer")
        able = [cell for cell in request.cells if not cell.why_not]
        if not able:
            reasons = "; ".join(f"{cell.cell_id}: {cell.why_not}" for cell in request.cells)
            return api.PlaceResponse(error=reasons or "no cell is connected")
        return api.PlaceResponse(cell_id=max(able, key=lambda cell: (cell.instances, cell.cell_id)).cell_id)


def credentials(directory):
    def read(name):
        with open(f"{directory}/{name}", "rb") as file:
            return file.read()

    return grpc.ssl_server_credentials([(read("key.pem"), read("cert.pem"))], read("ca.pem"), require_client_auth=True)


arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--tls", metavar="DIR")
arguments.add_argument("address", metavar="HOST:PORT")
given = arguments.parse_args()
server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
auctioneer_service_pb2_grpc.add_AuctioneerServicer_to_server(FillOneAfterTheOther(bool(given.tls)), server)
bound = server.add_secure_port(given.address, credentials(given.tls)) if given.tls else server.add_insecure_port(given.address)
if bound == 0:
    raise SystemExit(f"cannot listen on {given.address}")
server.start()
server.wait_for_termination()
