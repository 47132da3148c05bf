"""
OpenStack Swift with its S3 API on the loopback address, for tests: its four servers on free ports, each in a process.

Run with the folder, the port of the S3 API (0: any), the account, the user and the secret as arguments. Prints {"port": N}
when it accepts requests. All processes end when standard input ends, so that no test leaves one behind.
"""

import json
import os
import sys
from time import monotonic

from swift.common import utils

utils.eventlet_monkey_patch()

from eventlet import listen, patcher  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import appconfig, run_server  # noqa: E402

HOST = "127.0.0.1"
STORES = ("account", "container", "object")
PIPELINE = "catch_errors gatekeeper healthcheck memory_cache listing_formats bulk s3api tempauth slo dlo proxy-server"


def end_with_standard_input():
    """In a thread of the system: the event loop may be busy."""

    def wait():
        while patcher.original("os").read(0, 1024):
            pass
        os._exit(0)

    patcher.original("threading").Thread(target=wait, daemon=True).start()


class MemoryCache:
    """In place of memcached, which tempauth requires."""

    def __init__(self):
        self.items = {}

    def get(self, key, **_):
        value, until = self.items.get(key, (None, 0))
        return value if monotonic() < until else None

    def set(self, key, value, time=0, **_):
        self.items[key] = (value, monotonic() + (time or 3600))

    def delete(self, key, **_):
        self.items.pop(key, None)


def memory_cache(*_, **__):
    cache = MemoryCache()

    def with_cache(app):
        def call(env, start_response):
            env["swift.cache"] = cache
            return app(env, start_response)

        return call

    return with_cache


def write_ring(folder, name, port):
    builder = RingBuilder(part_power=2, replicas=1, min_part_hours=0)
    builder.add_dev(dict(id=0, region=1, zone=1, ip=HOST, port=port, device="disk", weight=1))
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + ".ring.gz"))


def write_config(folder, name, sections):
    path = os.path.join(folder, name + "-server.conf")
    with open(path, "w") as file:
        for section, lines in sections.items():
            file.write("[%s]\n%s\n" % (section, "".join("%s = %s\n" % line for line in lines.items())))
    return path


def proxy_config(account, user, secret):
    filters = {"filter:" + name: {"use": "egg:swift#" + name} for name in PIPELINE.split()[:-1]}
    filters["filter:memory_cache"] = {"paste.filter_factory": "__main__:memory_cache"}
    filters["filter:s3api"]["location"] = "us-east-1"
    filters["filter:tempauth"]["user_%s_%s" % (account, user)] = secret + " .admin"
    # Signs in, and is permitted nothing.
    filters["filter:tempauth"]["user_%s_stranger" % account] = secret
    return {
        "pipeline:main": {"pipeline": PIPELINE},
        "app:proxy-server": {"use": "egg:swift#proxy", "account_autocreate": "true"},
        **filters,
    }


def store_config(name):
    return {
        "pipeline:main": {"pipeline": name + "-server"},
        "app:%s-server" % name: {"use": "egg:swift#" + name},
    }


def main(folder, port, account, user, secret):
    os.makedirs(os.path.join(folder, "disk"), exist_ok=True)
    common = dict(swift_dir=folder, devices=folder, mount_check="false", fallocate_reserve="0", log_level="ERROR")
    sockets = {name: listen((HOST, 0), backlog=1024) for name in STORES}
    sockets["proxy"] = listen((HOST, int(port)), backlog=1024)
    utils.disable_fallocate()
    for name in STORES:
        write_ring(folder, name, sockets[name].getsockname()[1])
    for name, socket in sockets.items():
        sections = proxy_config(account, user, secret) if name == "proxy" else store_config(name)
        path = write_config(folder, name, {"DEFAULT": common, **sections})
        if name == "proxy" or os.fork() > 0:
            continue
        serve(name, path, socket)
    print(json.dumps({"port": sockets["proxy"].getsockname()[1]}), flush=True)
    serve("proxy", os.path.join(folder, "proxy-server.conf"), sockets["proxy"])


def serve(name, path, socket):
    end_with_standard_input()
    conf = appconfig(path, name=name + "-server")
    run_server(conf, utils.get_logger(conf, name, log_to_console=True, log_route=name), socket)


if __name__ == "__main__":
    main(*sys.argv[1:])
