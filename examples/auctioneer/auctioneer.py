#!/usr/bin/env python3
"""Decides where instances go, for batond --auctioneer: auctioneer.py HOST:PORT. Fills one cell after the other."""
import sys
from concurrent import futures

import grpc
from baton.v2 import auctioneer_service_pb2 as api, auctioneer_service_pb2_grpc


class FillOneAfterTheOther(auctioneer_service_pb2_grpc.AuctioneerServicer):
    def Place(self, request, context):
        able = [cell for cell in request.cells if not cell.why_not]
        if not able:
            reasons = "; ".join(f"{cell.cell_id}: {cell.why_not}" for cell in request.cells)
            return api.PlaceResponse(error=reasons or "no cell is connected")
        return api.PlaceResponse(cell_id=max(able, key=lambda cell: (cell.instances, cell.cell_id)).cell_id)


server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
auctioneer_service_pb2_grpc.add_AuctioneerServicer_to_server(FillOneAfterTheOther(), server)
if server.add_insecure_port(sys.argv[1]) == 0:
    sys.exit(f"cannot listen on {sys.argv[1]}")
server.start()
server.wait_for_termination()
