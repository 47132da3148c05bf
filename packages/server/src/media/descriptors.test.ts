import { execFileSync } from 'node:child_process'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Descriptors, readDescriptors, watchDescriptors } from './descriptors.ts'
import { SfuTestHarness } from './testing/harness.ts'

describe('descriptors', () => {
  it('of a process are counted, with their limit', async () => {
    const own = await readDescriptors(process.pid)
    expect(own?.open).toBeGreaterThan(3)
    expect(own?.limit).toBeGreaterThan(own?.open ?? 0)
    expect(await readDescriptors(2 ** 30)).toBeNull()
  })
})

describe('a watch over the descriptors of a worker', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('logs once that they run out, and once that there are enough again', async () => {
    const lines: { level: number; open: number }[] = []
    const log = pino({}, { write: line => void lines.push(JSON.parse(line)) })
    let now: Descriptors | null = { open: 10, limit: 100 }
    const stop = watchDescriptors(1, log, async () => now, 1_000)
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

describe('a worker without any descriptor left', () => {
  it('refuses a tap for now, and opens one when there are some again', async () => {
    const harness = await SfuTestHarness.open()
    const [node] = harness.sfu.workers.living
    const pid = node?.worker.pid ?? 0
    const setLimit = (limit: number) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`])
    const { ref } = harness.participant('recorder')
    const tap = () => harness.sfu.openEgress(ref, { kinds: ['audio'], ip: '127.0.0.1', port: 40_000 })
    setLimit(3)
    await expect(tap()).rejects.toMatchObject({
      controlCode: 'temporarily_unavailable',
      reason: 'no_descriptors',
    })
    expect(await harness.sfu.descriptorShare()).toBe(1)
    expect((await harness.participant('anna').open()).send.iceCandidates).toHaveLength(2)
    setLimit(1_024)
    expect(await tap()).toMatchObject({ endpointId: expect.any(String) })
    await harness.sfu.stop()
  })
})
