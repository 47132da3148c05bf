import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { recordSession } from '../record-session.ts'
import { COMPOSED_WITHIN_MS, callOf, delivered, options } from '../testing/call.ts'
import { FakeTrack } from '../testing/fake-track.ts'
import { colours, probe } from '../testing/inspect-media.ts'
import { makeRtp, type RtpStream } from '../testing/real-rtp.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS })

const IDR_UNIT = 0x65

/** Key frames without the parameters that a decoder needs: some encoders send these by other ways than RTP. */
const undecodable = ({ packets, ssrc }: RtpStream): RtpStream => ({
  packets: packets.map(({ rtp, sentMs }) => {
    const header = Buffer.from(rtp.subarray(0, 12))
    return { rtp: Buffer.concat([header, Buffer.of(IDR_UNIT, 0xee, 0xee, 0xee)]), sentMs }
  }),
  codec: { mimeType: 'video/H264', payloadType: 96, clockRate: 90_000 },
  ssrc,
})

it.each<[string, (camera: RtpStream) => RtpStream | Promise<RtpStream>]>([
  ['that cannot be decoded', undecodable],
  ['whose frames are larger than any screen', () => makeRtp('video/VP8', 'color=red:s=7700x4400:r=1', 1)],
])('leaves out a camera %s, and shows the others', async (_, left) => {
  const camera = await makeRtp('video/VP8', 'color=red:s=320x180:r=5', 2)
  const call = await callOf()
  const { job, startedAtMs } = call
  const track = (participantId: string, stream: RtpStream) =>
    new FakeTrack({ publicationId: participantId, participantId, source: 'camera', stream, fromMs: 0 })
  const tracks = [track('42.1.1', camera), track('42.1.2', await left(camera))]
  job.people(['Anna', 'Ben'], startedAtMs)
  for (const each of tracks) job.add(each)
  const recording = recordSession(options())(job)
  await delivered(...tracks)
  for (const each of tracks) each.play(startedAtMs, 0, 1e6)
  job.endSession(startedAtMs + 2000)
  expect(await recording).toMatchObject({ outcome: 'done', result: { duration_ms: 2000 } })
  const file = join(call.archive, 'recording.mkv')
  expect((await probe(file)).streams.map(({ nb_read_packets }) => nb_read_packets)).toEqual(['50', '100'])
  const [anna, ben] = await colours(file, 1, [
    [120, 250],
    [760, 250],
  ])
  expect(anna?.[0]).toBeGreaterThan(180)
  expect(Math.max(...(ben ?? [255]))).toBeLessThan(60)
  const report = JSON.parse(await readFile(join(call.archive, 'report.json'), 'utf8'))
  const failures = report.troubles.map(({ body }: { body: { what: string } }) => body.what)
  expect(failures.at(-1)).toMatch(/\.rtp is left out$/)
  await call.remove()
})
