import { afterEach, describe, expect, it, vi } from 'vitest'
import { Link, type LinkState } from './link.ts'
import type { Resolution } from './resolve.ts'
import { anInvitation } from './testing.ts'

const invitation = anInvitation()
const open: Resolution = { is: 'open', invitation }
const closed: Resolution = { is: 'refused', reason: 'room_closed', code: 'room_closed' }
const unreachable: Resolution = { is: 'problem', problem: 'unreachable', retryAfterMs: null }
const limited = (retryAfterMs: number | null): Resolution => ({
  is: 'problem',
  problem: 'rate_limited',
  retryAfterMs,
})

let link: Link
afterEach(() => link.close())

/** A link with these resolutions, one after another, and the states it goes through. */
function linkWith(resolutions: Resolution[], waitMs = 5) {
  const states: LinkState['is'][] = []
  const rest = [...resolutions]
  const resolve = async () => {
    const answer = rest.shift()
    if (!answer) throw new Error('resolved too often')
    return answer
  }
  link = new Link(resolve, () => waitMs)
  link.subscribe(() => states.push(link.get().is))
  return { states, left: () => rest.length }
}

const until = async (is: LinkState['is']) => {
  await expect.poll(() => link.get().is, { interval: 2 }).toBe(is)
  return link.get()
}

describe('Link', () => {
  it('opens', async () => {
    linkWith([open])
    expect(link.get()).toEqual({ is: 'opening' })
    await link.open()
    expect(link.get()).toEqual(open)
  })

  it('is refused permanently', async () => {
    linkWith([closed])
    await link.open()
    await link.retry()
    await link.refresh()
    expect(link.get()).toEqual({ ...closed, known: null })
  })

  it('retries automatically until it is resolved', async () => {
    const { states } = linkWith([unreachable, unreachable, open])
    await link.open()
    await until('open')
    expect(states).toEqual(['waiting', 'retrying', 'waiting', 'retrying', 'open'])
  })

  it('retries at once on request', async () => {
    linkWith([unreachable, open], 60_000)
    await link.open()
    await link.retry()
    expect(link.get()).toEqual(open)
  })

  it('resolves once however often it is requested', async () => {
    const { left } = linkWith([unreachable, open, closed], 60_000)
    await link.open()
    await Promise.all([link.retry(), link.retry(), link.retry()])
    expect(left()).toBe(1)
  })

  it('reports the time of the next attempt, and never retries earlier than the server allows', async () => {
    const { left } = linkWith([limited(90_000), open])
    const before = Date.now()
    await link.open()
    await link.retry()
    const state = await until('waiting')
    expect(state.is === 'waiting' && state.until - before).toBeGreaterThanOrEqual(90_000)
    expect(left()).toBe(1)
  })

  it('backs off when the server gives no delay', async () => {
    linkWith([limited(0)])
    const before = Date.now()
    await link.open()
    const state = link.get()
    expect(state.is === 'waiting' && state.until - before).toBeGreaterThanOrEqual(1000)
  })

  it('detects that the room was closed, and still knows which one it was', async () => {
    linkWith([open, closed])
    await link.open()
    await link.refresh()
    expect(link.get()).toEqual({ ...closed, known: anInvitation() })
  })

  it('keeps the invitation while a refresh fails', async () => {
    linkWith([open, unreachable, open])
    await link.open()
    await link.refresh()
    expect(link.get()).toEqual(open)
  })

  it('stops retrying when it is closed', async () => {
    vi.useFakeTimers()
    const { left } = linkWith([unreachable, open])
    await link.open()
    link.close()
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    expect(left()).toBe(1)
  })
})
