import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IncomingTrack } from '@lectern/worker-kit'
import { expect, it } from 'vitest'
import { cameraTileSize } from '../compose/layout.ts'
import { FakeTrack } from '../testing/fake-track.ts'
import { Capture } from './capture.ts'
import { DiskSpace } from './disk-space.ts'

const track = (source: IncomingTrack['source'], mimeType = 'video/VP8') => {
  const codec = { mimeType, payloadType: 96, clockRate: 90_000 }
  const stream = { packets: [], codec, ssrc: 1 }
  return new FakeTrack({ publicationId: source, participantId: '42.1.1', source, stream, fromMs: 0 })
}

it('requests cameras at their displayed size and screens at full size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-capture-'))
  const capture = await Capture.open({
    folder,
    attempt: '0001',
    disk: new DiskSpace(folder, 0),
    openJournals: new Set(),
    startedAtMs: 0,
    keyFrameIntervalMs: 10_000,
    failed: (_, err) => {
      throw err
    },
  })
  const [camera, microphone, screen] = [track('camera'), track('microphone', 'audio/opus'), track('screen')]
  capture.setCameraSize({ width: 640, height: 360 })
  capture.add(camera)
  capture.add(microphone)
  expect(camera.shownAs).toBe('640x360')
  await capture.flush()
  const show = () => capture.setCameraSize(cameraTileSize(2, capture.hasScreen))
  capture.setCameraSize(cameraTileSize(1, capture.hasScreen))
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
