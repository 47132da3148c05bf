/**
 * A program for a machine outside of the operator's network, which tries what browsers do: the pages, the media ports and
 * TURN. In Python, because that machine has no Lectern.
 */
const PROGRAM = String.raw`"""Tests from here whether browsers reach @URL@; needs Python 3 only."""
import binascii, email.utils, hashlib, hmac, json, os, re, socket, ssl, struct, sys, time, urllib.request

URL = "@URL@"
SECURE = ssl.create_default_context()
FAILED = []


def report(name, problem):
    print(f"{'FAIL' if problem else 'ok  '}  {name}{': ' + str(problem) if problem else ''}")
    if problem:
        FAILED.append(name)


def attribute(kind, value):
    return struct.pack("!HH", kind, len(value)) + value + bytes(-len(value) % 4)


def binding(ice=None):
    """A STUN binding request; with ICE credentials, a connectivity check (RFC 8445)."""
    transaction = os.urandom(12)
    body = b""
    header = lambda more: struct.pack("!HHI", 1, len(body) + more, 0x2112A442) + transaction
    if ice:
        name = f"{ice['username_fragment']}:doctor".encode()
        body = attribute(6, name) + attribute(0x24, b"\x6e\x00\x1e\xff") + attribute(0x802A, os.urandom(8))
        key = ice["password"].encode()
        body += attribute(8, hmac.new(key, header(24) + body, hashlib.sha1).digest())
        body += attribute(0x8028, struct.pack("!I", binascii.crc32(header(8) + body) ^ 0x5354554E))
    return header(0) + body, transaction


def attempt(protocol, address, port, ice=None):
    """The problem of an exchange with the port by udp, tcp or tls; None if it answers."""
    message, transaction = binding(ice)
    is_stream = protocol != "udp"
    try:
        family, kind, _, _, target = socket.getaddrinfo(
            address, port, type=socket.SOCK_STREAM if is_stream else socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as plain:
            plain.settimeout(4 if is_stream else 1)
            plain.connect(target)
            with SECURE.wrap_socket(plain, server_hostname=address) if protocol == "tls" else plain as channel:
                for last in ([True] if is_stream else [False, False, True]):
                    channel.send(struct.pack("!H", len(message)) + message if is_stream and ice else message)
                    try:
                        answer = channel.recv(2048)
                        break
                    except socket.timeout:
                        if last:
                            return "no answer"
        return None if transaction in answer else "another program answers"
    except OSError as error:
        return error


def request(path, method="GET"):
    with urllib.request.urlopen(urllib.request.Request(URL + path, method=method), timeout=10) as response:
        return json.load(response), response.headers


def clock(date):
    """Webhook signatures and sign-ins at other servers need clocks that agree."""
    behind = time.time() - email.utils.parsedate_to_datetime(date).timestamp()
    return f"{abs(behind):.0f} s {'behind' if behind > 0 else 'ahead of'} the clock here" if abs(behind) > 60 else None


try:
    about, headers = request("/api/v1.0/server_info")
    report(f"pages at {URL}", None if about.get("deployment_id") == "@DEPLOYMENT@" else "another server answers")
    if headers.get("Date"):
        report("clock of the server", clock(headers["Date"]))
    probe, _ = request("/api/v1.0/connection-test", "POST")
except Exception as error:
    report(f"pages at {URL}", error)
    sys.exit(1)
for candidate in probe["ice_candidates"]:
    protocol, address, port = candidate["protocol"], candidate["address"], candidate["port"]
    report(f"media by {protocol.upper()} at {address}:{port}",
           attempt(protocol, address, port, probe["ice_parameters"]))
for server in probe["ice_servers"]:
    for url in server["urls"]:
        turn = re.match(r"(turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?", url, re.I)
        if turn:
            is_secure = turn[1].lower() == "turns"
            protocol = "tls" if is_secure else "tcp" if "transport=tcp" in url.lower() else "udp"
            port = int(turn[3] or (5349 if is_secure else 3478))
            report(f"TURN at {url}", attempt(protocol, turn[2].strip("[]"), port))
sys.exit(1 if FAILED else 0)
`

/** A shell command that runs the program on a host, and prints what it finds. */
export const outsideCommand = (host: string, publicUrl: string, deployment: string): string =>
  `# Run this where ssh reaches ${host}, a machine outside of your network; or the program itself on any such machine.
ssh ${host} python3 - << 'END'
${PROGRAM.replaceAll('@URL@', publicUrl).replaceAll('@DEPLOYMENT@', deployment)}END`
