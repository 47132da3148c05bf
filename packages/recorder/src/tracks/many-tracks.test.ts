import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift-rtp'
import { encodeBlock, encodeRecord } from '../capture/records.ts'
import { Tracks } from './tracks.ts'

const START_MS = 1_795_000_000_000
const PAYLOAD_TYPE = 100
/** Few, to save time: what is kept depends on the time that they cover. */
const PACKET_MS = 100
const TRACK_SECONDS = 60
const SAMPLES_PER_MS = 48
const COLLECTIONS = 4

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-many-tracks-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The journal of somebody who speaks for a minute, and leaves. */
function writeJournal(number: number, beginMs: number): void {
  const codec = { mimeType: 'audio/opus', payloadType: PAYLOAD_TYPE, clockRate: 48_000, parameters: {} }
  const head = {
    publicationId: `p${number}`,
    participantId: `42.1.${number}`,
    source: 'microphone' as const,
    kind: 'audio' as const,
    codec,
    ssrc: number,
    isPaused: false,
  }
  const packets = Array.from({ length: (TRACK_SECONDS * 1000) / PACKET_MS }, (_, index) => {
    const header = new RtpHeader({
      payloadType: PAYLOAD_TYPE,
      sequenceNumber: index,
      timestamp: index * PACKET_MS * SAMPLES_PER_MS,
      ssrc: number,
    })
    const rtp = new RtpPacket(header, Buffer.alloc(80, 0xfc)).serialize()
    return encodeRecord({ is: 'packet', atMs: beginMs + index * PACKET_MS, rtp })
  })
  const end = encodeRecord({ is: 'ended', atMs: beginMs + TRACK_SECONDS * 1000 })
  const blocks = [[encodeRecord({ is: 'begin', atMs: beginMs, head })], packets, [end]].map(encodeBlock)
  writeFileSync(join(folder, `0001-${String(number).padStart(5, '0')}.rtp`), Buffer.concat(blocks))
}

/** Buffers are released after the collection that found them unused. */
async function memoryInUse(): Promise<number> {
  for (let round = 0; round < COLLECTIONS; round++) {
    collectGarbage()
    await setImmediate()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** The memory that is freed without the tracks: compiled code and other tests do not count. */
async function memoryOf({ byFile }: Tracks): Promise<number> {
  const before = await memoryInUse()
  byFile.clear()
  return before - (await memoryInUse())
}

it('keeps little of a track that has ended', async () => {
  const [count, bytesEach] = [20, 20_000]
  const tracks = new Tracks(folder)
  for (let number = 0; number < count; number++)
    writeJournal(number, START_MS + number * TRACK_SECONDS * 1000)
  await tracks.advance(Number.POSITIVE_INFINITY)
  tracks.prune(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  const read = [...tracks.byFile.values()].map(({ stats, losses }) => [stats.frames, losses.leaps])
  expect(read).toEqual(Array(count).fill([(TRACK_SECONDS * 1000) / PACKET_MS, 0]))
  expect(await memoryOf(tracks)).toBeLessThan(count * bytesEach)
})

it('reads the packets of a track only when they are due', async () => {
  const [count, bytesEach] = [20, 20_000]
  for (let number = 0; number < count; number++)
    writeJournal(number, START_MS + (number + 2) * TRACK_SECONDS * 1000)
  const tracks = new Tracks(folder)
  await tracks.advance(START_MS)
  expect(tracks.byFile.size).toBe(count)
  expect(await memoryOf(tracks)).toBeLessThan(count * bytesEach)
})
