"""A participant on GStreamer's webrtcbin: webrtcbin.py publish|play URL TOKEN

Publishes a test picture with ticks, or plays and prints how many frames and buffers of sound it has decoded. SIGTERM ends
its session.
"""

import signal
import sys
import urllib.error
import urllib.parse
import urllib.request

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

PUBLISHER = """
webrtcbin name=webrtc bundle-policy=max-bundle
videotestsrc is-live=true pattern=ball ! video/x-raw,width=160,height=90,framerate=10/1
  ! vp8enc deadline=1 cpu-used=8 keyframe-max-dist=20 ! rtpvp8pay pt=96 picture-id-mode=15-bit
  ! application/x-rtp,media=video,encoding-name=VP8,payload=96,rtcp-fb-nack-pli=(boolean)true ! webrtc.
audiotestsrc is-live=true wave=ticks ! audioconvert ! audioresample ! opusenc ! rtpopuspay pt=97
  ! application/x-rtp,media=audio,encoding-name=OPUS,payload=97 ! webrtc.
"""
RECEIVED = [
    "application/x-rtp,media=audio,encoding-name=OPUS,payload=97,clock-rate=48000,encoding-params=(string)2",
    "application/x-rtp,media=video,encoding-name=VP8,payload=96,clock-rate=90000,rtcp-fb-nack-pli=(boolean)true",
]


class Client:
    def __init__(self, role, url, token):
        self.role, self.url, self.token = role, url, token
        self.session = None
        self.loop = GLib.MainLoop()
        self.counts = {}
        if role == "publish":
            self.pipeline = Gst.parse_launch(PUBLISHER)
            self.webrtc = self.pipeline.get_by_name("webrtc")
            direction = GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY
            for index in range(2):
                self.webrtc.emit("get-transceiver", index).set_property("direction", direction)
        else:
            self.pipeline = Gst.Pipeline.new("player")
            self.webrtc = Gst.ElementFactory.make("webrtcbin", "webrtc")
            self.webrtc.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
            self.pipeline.add(self.webrtc)
            direction = GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY
            for caps in RECEIVED:
                self.webrtc.emit("add-transceiver", direction, Gst.Caps.from_string(caps))
            self.webrtc.connect("pad-added", self.on_pad)
        self.webrtc.connect("notify::ice-gathering-state", self.on_gathering)
        self.webrtc.connect("notify::connection-state", self.on_connection)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", lambda _bus, message: self.fail(message.parse_error()))

    def run(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        GLib.timeout_add(200, self.offer)
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, self.end)
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)

    def offer(self):
        promise = Gst.Promise.new_with_change_func(self.on_offer)
        self.webrtc.emit("create-offer", None, promise)
        return False

    def on_offer(self, promise):
        reply = promise.get_reply()  # the offer is part of it
        offer = reply.get_value("offer")
        self.webrtc.emit("set-local-description", offer, Gst.Promise.new())

    def on_gathering(self, *_):
        state = self.webrtc.get_property("ice-gathering-state")
        if state == GstWebRTC.WebRTCICEGatheringState.COMPLETE and self.session is None:
            self.session = ""
            GLib.idle_add(self.post)

    def post(self):
        offer = self.webrtc.get_property("local-description").sdp.as_text()
        try:
            with self.request("POST", self.url, offer) as response:
                self.session = urllib.parse.urljoin(self.url, response.headers["Location"])
                answer = response.read()
        except urllib.error.HTTPError as error:
            return self.fail(error.read().decode())
        _, sdp = GstSdp.SDPMessage.new()
        GstSdp.sdp_message_parse_buffer(answer, sdp)
        description = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
        self.webrtc.emit("set-remote-description", description, Gst.Promise.new())
        return False

    def request(self, method, url, body=None):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/sdp"}
        data = None if body is None else body.encode()
        return urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=30)

    def on_connection(self, *_):
        report(self.webrtc.get_property("connection-state").value_nick)

    def on_pad(self, _webrtc, pad):
        if pad.get_direction() != Gst.PadDirection.SRC:
            return
        decoder = Gst.ElementFactory.make("decodebin", None)
        decoder.connect("pad-added", self.on_decoded)
        self.pipeline.add(decoder)
        decoder.sync_state_with_parent()
        pad.link(decoder.get_static_pad("sink"))

    def on_decoded(self, _decoder, pad):
        kind = pad.get_current_caps().get_structure(0).get_name().split("/")[0]
        sink = Gst.ElementFactory.make("fakesink", None)
        sink.set_property("signal-handoffs", True)
        sink.connect("handoff", lambda *_: self.count(kind))
        self.pipeline.add(sink)
        sink.sync_state_with_parent()
        pad.link(sink.get_static_pad("sink"))

    def count(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] % 10 == 0:
            report(f"{kind} {self.counts[kind]}")

    def end(self):
        if self.session:
            self.request("DELETE", self.session).close()
            report("deleted")
        self.loop.quit()
        return False

    def fail(self, reason):
        print(f"failed: {reason}", file=sys.stderr, flush=True)
        self.loop.quit()
        return False


def report(line):
    """In one write: several threads report."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


Gst.init(None)
Client(*sys.argv[1:4]).run()
