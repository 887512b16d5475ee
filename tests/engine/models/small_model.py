"""Serves a real small language model on loopback until its input ends: `python small_model.py MODEL.gguf`.

Prints the address first. Threads are one each on purpose: on a busy machine of two cores more of them starve.
"""

from __future__ import annotations

import sys


def main() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.model_alias = {"smollm2"}
    params.n_parallel = 2
    params.n_ctx = 8192
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
