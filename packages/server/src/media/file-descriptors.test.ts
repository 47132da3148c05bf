import { execFileSync } from 'node:child_process'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type FileDescriptorUsage,
  monitorFileDescriptors,
  readFileDescriptorUsage,
} from './file-descriptors.ts'
import { fileDescriptorRatio } from './statistics.ts'
import { SfuTestHarness } from './testing/harness.ts'

describe('readFileDescriptorUsage', () => {
  it('returns the open file descriptors of a process and their limit', async () => {
    const own = await readFileDescriptorUsage(process.pid)
    expect(own?.open).toBeGreaterThan(3)
    expect(own?.limit).toBeGreaterThan(own?.open ?? 0)
    expect(await readFileDescriptorUsage(2 ** 30)).toBeNull()
  })
})

describe('monitorFileDescriptors', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('logs once when they run out and once when they recover', async () => {
    const lines: { level: number; open: number }[] = []
    const log = pino({}, { write: line => void lines.push(JSON.parse(line)) })
    let now: FileDescriptorUsage | null = { open: 10, limit: 100 }
    const stop = monitorFileDescriptors(1, log, async () => now, 1_000)
    for (const open of [79, 80, 100, 70, 80, 59, 10]) {
      now = { open, limit: 100 }
      await vi.advanceTimersByTimeAsync(1_000)
    }
    now = null
    await vi.advanceTimersByTimeAsync(1_000)
    expect(lines.map(({ level, open }) => [level, open])).toEqual([
      [50, 80],
      [30, 59],
    ])
    stop()
    now = { open: 100, limit: 100 }
    await vi.advanceTimersByTimeAsync(5_000)
    expect(lines).toHaveLength(2)
  })
})

describe('a worker without free file descriptors', () => {
  it('refuses RTP egress temporarily, and accepts it when file descriptors are free again', async () => {
    const harness = await SfuTestHarness.open()
    const [node] = harness.sfu.workers.alive
    const pid = node?.worker.pid ?? 0
    const setLimit = (limit: number) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`])
    const { ref } = harness.participant('recorder')
    const openEgress = () => harness.sfu.openEgress(ref, { kinds: ['audio'], ip: '127.0.0.1', port: 40_000 })
    setLimit(3)
    await expect(openEgress()).rejects.toMatchObject({
      controlCode: 'temporarily_unavailable',
      reason: 'no_descriptors',
    })
    expect(fileDescriptorRatio(await harness.sfu.readWorkers())).toBe(1)
    expect((await harness.participant('anna').open()).send.iceCandidates).toHaveLength(2)
    setLimit(1_024)
    expect(await openEgress()).toMatchObject({ endpointId: expect.any(String) })
    await harness.sfu.stop()
  })
})
