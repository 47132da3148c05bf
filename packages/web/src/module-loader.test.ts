import { describe, expect, it } from 'vitest'
import { ModuleLoader } from './module-loader.ts'

const GONE = new TypeError('Failed to fetch dynamically imported module')
const { signal } = new AbortController()

/** A loader whose attempts end as `outcomes` says; the last one repeats. */
function makeLoader(outcomes: (string | Error)[], { reachable = [true], canReload = true } = {}) {
  const seen = { attempts: 0, reloads: 0, waited: [] as number[] }
  const next = <V>(values: V[]): V => (values.length > 1 ? values.shift() : values[0]) as V
  const loader = new ModuleLoader<string>({
    load: async () => {
      seen.attempts++
      const outcome = next(outcomes)
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    isServerReachable: async () => next(reachable),
    canReload: () => canReload,
    reload: () => void seen.reloads++,
    wait: async ms => void seen.waited.push(ms),
  })
  return { loader, seen }
}

describe('ModuleLoader', () => {
  it('loads once, however often it is requested', async () => {
    const { loader, seen } = makeLoader(['module'])
    expect(loader.loaded).toBeNull()
    loader.preload()
    expect(await Promise.all([loader.load(signal), loader.load(signal)])).toEqual(['module', 'module'])
    expect(loader.loaded).toBe('module')
    expect(seen).toEqual({ attempts: 1, reloads: 0, waited: [] })
  })

  it('retries after a preload that failed', async () => {
    const { loader, seen } = makeLoader([GONE, 'module'])
    loader.preload()
    await Promise.resolve()
    await expect.poll(() => seen.attempts).toBe(1)
    expect(await loader.load(signal)).toBe('module')
  })

  it('waits while the server cannot be reached', async () => {
    const { loader, seen } = makeLoader([GONE, GONE, 'module'], { reachable: [false] })
    expect(await loader.load(signal)).toBe('module')
    expect(seen).toEqual({ attempts: 3, reloads: 0, waited: [2_000, 2_000] })
  })

  it('reloads the page when the server responds but the file is missing', async () => {
    const { loader, seen } = makeLoader([GONE])
    let settled = false
    void loader.load(signal).finally(() => {
      settled = true
    })
    await expect.poll(() => seen.reloads).toBe(1)
    expect([settled, seen.attempts]).toEqual([false, 1])
  })

  it('rejects when the page has already been reloaded', async () => {
    const { loader, seen } = makeLoader([GONE], { canReload: false })
    await expect(loader.load(signal)).rejects.toBe(GONE)
    expect(seen.reloads).toBe(0)
  })

  it('neither waits nor reloads after the user has gone back', async () => {
    const { loader, seen } = makeLoader([GONE])
    const goingBack = new AbortController()
    const loading = loader.load(goingBack.signal)
    goingBack.abort()
    await expect(loading).rejects.toBe(goingBack.signal.reason)
    expect(seen).toEqual({ attempts: 1, reloads: 0, waited: [] })
  })
})
