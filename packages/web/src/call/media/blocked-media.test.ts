import { Lifetime, Observable } from '@lectern/common'
import type { ConnectionState } from '@lectern/control-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TransportState } from '../ports.ts'
import { BlockedMedia } from './blocked-media.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

class Value<T> extends Observable<T> {
  override set(value: T): void {
    super.set(value)
  }
}

const READY = { is: 'ready' } as ConnectionState
const LOST = { is: 'connecting' } as ConnectionState

function observe() {
  const control = new Value(READY)
  const transport = new Value<TransportState>('new')
  return { control, transport, blocked: new BlockedMedia({ control, transport }, new Lifetime()) }
}

describe('BlockedMedia', () => {
  it('is true when all attempts of 15 s have failed, until one succeeds', () => {
    const { transport, blocked } = observe()
    for (const state of ['connecting', 'failed', 'new', 'connecting'] as const) {
      transport.set(state)
      vi.advanceTimersByTime(3_700)
      expect(blocked.get()).toBe(false)
    }
    vi.advanceTimersByTime(200)
    expect(blocked.get()).toBe(true)
    transport.set('connected')
    expect(blocked.get()).toBe(false)
  })

  it('is false while nothing is to be carried, or the control channel is lost', () => {
    const { control, transport, blocked } = observe()
    vi.advanceTimersByTime(60_000)
    control.set(LOST)
    transport.set('disconnected')
    vi.advanceTimersByTime(60_000)
    control.set(READY)
    vi.advanceTimersByTime(14_000)
    expect(blocked.get()).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(blocked.get()).toBe(true)
  })
})
