import { createSocket } from 'node:dgram'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RtcpSenderInfo, RtcpSrPacket } from 'werift-rtp'
import { nowMs } from './clock.ts'
import type { SenderReport } from './ports.ts'
import { RtpReceiver, type Sink } from './rtp-receiver.ts'
import { SrtpReceiver } from './srtp.ts'

const sender = createSocket('udp4').unref()
let intake: RtpReceiver
beforeEach(async () => {
  intake = await RtpReceiver.open('127.0.0.1')
})
afterEach(() => {
  intake.close()
  vi.restoreAllMocks()
})

class RecordingSink implements Sink {
  readonly packets: { rtp: Buffer; atMs: number }[] = []
  readonly reports: SenderReport[] = []
  packet = (rtp: Buffer, atMs: number) => void this.packets.push({ rtp, atMs })
  report = (report: SenderReport) => void this.reports.push(report)
}

const send = (packet: Buffer) => sender.send(packet, intake.port, '127.0.0.1')
const rtp = (ssrc: number, payload = 'x') => {
  const header = Buffer.alloc(12)
  header.writeUInt8(0x80, 0)
  header.writeUInt8(96, 1)
  header.writeUInt32BE(ssrc, 8)
  return Buffer.concat([header, Buffer.from(payload)])
}
const senderReport = (ssrc: number, ntpTimestamp: bigint, rtpTimestamp: number) =>
  new RtcpSrPacket({
    ssrc,
    senderInfo: new RtcpSenderInfo({ ntpTimestamp, rtpTimestamp, packetCount: 1, octetCount: 1 }),
  }).serialize()
const arrive = (check: () => void) => vi.waitFor(check, { timeout: 100_000, interval: 5 })

describe('RtpReceiver', () => {
  it('routes packets and sender reports by SSRC with their arrival time', async () => {
    const [one, two] = [new RecordingSink(), new RecordingSink()]
    intake.connect(1, one)
    intake.connect(0xffffffff, two)
    const before = nowMs()
    send(rtp(1, 'first'))
    send(rtp(0xffffffff, 'second'))
    send(senderReport(1, (7n << 32n) + 5n, 4_000_000_000))
    await arrive(() => {
      expect(one.reports).toEqual([{ ssrc: 1, ntp: (7n << 32n) + 5n, rtpTimestamp: 4_000_000_000 }])
      expect(two.packets).toHaveLength(1)
    })
    expect(one.packets.map(({ rtp }) => rtp.subarray(12).toString())).toEqual(['first'])
    expect(one.packets[0]?.atMs).toBeGreaterThanOrEqual(before)
    expect(one.packets[0]?.atMs).toBeLessThanOrEqual(nowMs())
    // In Unix time. The clock of the machine may be set meanwhile, by a little.
    expect(Math.abs(nowMs() - Date.now())).toBeLessThan(3_600_000)
  })

  it('drops unknown SSRCs and malformed packets', async () => {
    const sink = new RecordingSink()
    intake.connect(1, sink)
    intake.connect(2, sink)
    intake.disconnect(2)
    const report = senderReport(1, 1n, 1)
    for (const packet of [rtp(2), rtp(3), Buffer.alloc(0), Buffer.from([0x80, 96]), report.subarray(0, 9)])
      send(packet)
    send(Buffer.from([0x80, 200, 0xff, 0xff, 0, 0, 0, 1]))
    send(rtp(1, 'last'))
    await arrive(() => expect(sink.packets).toHaveLength(1))
    expect(sink.reports).toEqual([])
  })

  it('drops plain RTP when SRTP is required', async () => {
    const sink = new RecordingSink()
    intake.connect(1, sink)
    const checked = [vi.spyOn(SrtpReceiver.prototype, 'rtp'), vi.spyOn(SrtpReceiver.prototype, 'rtcp')]
    intake.setSrtpKey({ crypto_suite: 'AEAD_AES_128_GCM', key_base64: Buffer.alloc(28).toString('base64') })
    send(rtp(1, 'forged, and long enough to be one'))
    send(senderReport(1, 1n, 1))
    await arrive(() => {
      for (const check of checked) expect(check).toHaveBeenCalledOnce()
    })
    intake.setSrtpKey(undefined)
    send(rtp(1, 'plain'))
    await arrive(() => expect(sink.packets).toHaveLength(1))
    expect(sink.packets[0]?.rtp.subarray(12).toString()).toBe('plain')
    expect(sink.reports).toEqual([])
  })
})
