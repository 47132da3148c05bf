import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IncomingTrack } from '@lectern/worker-kit'
import { expect, it, onTestFinished, vi } from 'vitest'
import { cameraTileSize } from '../compose/layout.ts'
import { FakeTrack } from '../testing/fake-track.ts'
import type { RtpStream } from '../testing/real-rtp.ts'
import { Capture } from './capture.ts'
import { DiskSpace } from './disk-space.ts'

type SentPacket = RtpStream['packets'][number]

const track = (source: IncomingTrack['source'], mimeType = 'video/VP8', packets: SentPacket[] = []) => {
  const codec = { mimeType, payloadType: 96, clockRate: 90_000 }
  const stream = { packets, codec, ssrc: 1 }
  return new FakeTrack({ publicationId: source, participantId: '42.1.1', source, stream, fromMs: 0 })
}

const openCapture = (folder: string) =>
  Capture.open({
    folder,
    attempt: '0001',
    disk: new DiskSpace(folder, 0),
    openJournals: new Set(),
    startedAtMs: Date.now(),
    keyFrameIntervalMs: 3_600_000,
    failed: (_, err) => {
      throw err
    },
  })

/** A frame of VP8 in one packet. */
function vp8Packet(number: number, isKey: boolean): SentPacket {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0x80_e0, 0) // the marker, and payload type 96
  head.writeUInt16BE(number, 2)
  head.writeUInt32BE(number * 3_000, 4)
  return { rtp: Buffer.concat([head, Buffer.from([0x10, isKey ? 0 : 1, 0, 0])]), sentMs: number * 100 }
}

it('requests a key frame again until it has arrived: browsers ignore what comes right after another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-capture-'))
  const capture = await openCapture(folder)
  const camera = track(
    'camera',
    'video/VP8',
    Array.from({ length: 20 }, (_, number) => vp8Packet(number, number === 10)),
  )
  capture.add(camera)
  await expect.poll(() => camera.hasListener).toBe(true)
  expect(camera.keyFramesAsked).toBe(1)
  camera.play(Date.now(), 0, 500)
  await expect.poll(() => camera.keyFramesAsked).toBe(2)
  camera.play(Date.now(), 500, 2_000)
  const asked = camera.keyFramesAsked
  await new Promise(resolve => setTimeout(resolve, 1_200))
  expect(camera.keyFramesAsked).toBe(asked)
  await capture.close()
  rmSync(folder, { recursive: true })
})

it('writes on while the disk takes long to sync, and does not ask it again meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-capture-'))
  const handle = await open(join(folder, 'any'), 'w')
  const { promise: slow, resolve: finish } = Promise.withResolvers<void>()
  const syncs = vi.spyOn(Object.getPrototypeOf(handle), 'datasync').mockImplementation(() => slow)
  onTestFinished(() => syncs.mockRestore())
  await handle.close()
  const capture = await openCapture(folder)
  const packets = Array.from({ length: 40 }, (_, number) => vp8Packet(number, true))
  const cameras = [track('camera', 'video/VP8', packets), track('screen', 'video/VP8', packets)]
  for (const camera of cameras) capture.add(camera)
  await expect.poll(() => cameras.every(({ hasListener }) => hasListener)).toBe(true)
  const written = () => statSync(join(folder, '0001-00002.rtp')).size
  await expect.poll(() => syncs.mock.calls.length, { timeout: 10_000 }).toBe(1)
  for (let second = 0; second < 3; second++) {
    const before = written()
    for (const camera of cameras) camera.play(Date.now(), second * 1_000, (second + 1) * 1_000)
    await expect.poll(written).toBeGreaterThan(before)
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
  expect(syncs).toHaveBeenCalledTimes(1)
  finish()
  await capture.close()
  rmSync(folder, { recursive: true })
})

it('requests cameras at their displayed size and screens at full size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-capture-'))
  const capture = await openCapture(folder)
  const [camera, microphone, screen] = [track('camera'), track('microphone', 'audio/opus'), track('screen')]
  capture.setCameraSizes(() => ({ width: 640, height: 360 }))
  capture.add(camera)
  capture.add(microphone)
  expect(camera.shownAs).toBe('640x360')
  await capture.flush()
  const show = () => capture.setCameraSizes(() => cameraTileSize(2, capture.hasScreen))
  capture.setCameraSizes(() => cameraTileSize(1, capture.hasScreen))
  expect(camera.shownAs).toBe('1236x696')
  show()
  expect(camera.shownAs).toBe('622x348')
  capture.add(screen)
  await capture.flush()
  screen.pause(true, 1_000)
  show()
  expect(camera.shownAs).toBe('622x348')
  screen.pause(false, 2_000)
  show()
  expect([camera, microphone, screen].map(({ shownAs }) => shownAs)).toEqual(['272x152', '', ''])
  await capture.close()
  rmSync(folder, { recursive: true })
})
