"""The public client of tus sends a file to an address that a reservation gave: tus.py FILE ADDRESS BYTES-A-PIECE."""

import sys

from tusclient.client import TusClient

path, address, piece = sys.argv[1:]
TusClient(address).uploader(
    path, url=address, chunk_size=int(piece), retries=10, retry_delay=0.05, upload_checksum=True
).upload()
