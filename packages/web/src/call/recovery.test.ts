import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RecoveryState } from './recovery.ts'
import { createCallHarness, settle } from './testing/call-harness.ts'
import { refuse } from './testing/fake-control.ts'
import { aParticipant, aPublication, aSession } from './testing/session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A joined call with a camera that is on, and a remote camera that is received. */
async function joined() {
  const harness = createCallHarness()
  const { call, camera, control } = harness
  camera.turnOn()
  await harness.enter()
  control.addPublication(aPublication())
  await offered(harness)
  const seen: RecoveryState['is'][] = [call.recovery.get().is]
  call.recovery.subscribe(() => seen.push(call.recovery.get().is))
  return { ...harness, seen }
}

type Harness = Pick<ReturnType<typeof createCallHarness>, 'control'>

/** The server offers the remote camera to the newest endpoint. */
async function offered({ control }: Harness) {
  const endpoint_id = `e${control.bodies('media.open').length}`
  const media = { ...mediaRef, endpoint_id }
  control.receiveMedia({
    media,
    name: 'webrtc_offer',
    body: { format: 'ortc', consumer_id: `consumer of ${endpoint_id}` },
  })
  await settle()
}

const mediaRef = {
  conference_session_id: '1',
  participant_instance_id: 'p1',
  publication_id: 'pub1',
  negotiation_id: 'n1',
  rtc_node_id: 'node',
  route_generation: '1',
  scope: 'video-subscribe',
} as const

describe('Recovery', () => {
  it('is connected from the first join on, while media is still being opened', async () => {
    const { call, control } = createCallHarness()
    control.handlers['media.open'] = () => new Promise(() => {})
    const seen: unknown[] = []
    call.recovery.subscribe(() => seen.push(call.recovery.get()))
    call.open()
    await settle()
    expect(call.get().is).toBe('joined')
    expect(seen).toEqual([])
  })

  it('reports a first connection that failed', () => {
    const { call, control } = createCallHarness()
    control.disconnect()
    expect(call.recovery.get()).toEqual({ is: 'reconnecting', sinceMs: Date.now(), isByServer: false })
  })

  it('knows that the server has stopped, also while that cannot be reached', async () => {
    const { call, control } = await joined()
    control.disconnect('temporarily_unavailable')
    control.disconnect('connection_lost')
    expect(call.recovery.get()).toMatchObject({ is: 'reconnecting', isByServer: true })
    control.reconnect()
    control.disconnect()
    expect(call.recovery.get()).toMatchObject({ is: 'reconnecting', isByServer: false })
  })

  it('lasts until the control channel is back when media continued', async () => {
    const { call, control, transports, seen } = await joined()
    transports.onState('connected')
    control.disconnect()
    const sinceMs = Date.now()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(call.recovery.get()).toEqual({ is: 'reconnecting', sinceMs, isByServer: false })
    control.reconnect()
    expect(seen).toEqual(['connected', 'reconnecting', 'connected'])
  })

  it('lasts until media is back when that was lost, too', async () => {
    const { control, transports, seen } = await joined()
    control.disconnect()
    transports.onState('disconnected')
    control.reconnect()
    await settle()
    expect(seen).toEqual(['connected', 'reconnecting', 'restoring-media'])
    transports.onState('connecting')
    expect(seen).toHaveLength(3)
    transports.onState('connected')
    expect(seen.slice(3)).toEqual(['connected'])
  })

  it('lasts after a server restart until own and remote media are back', async () => {
    const { camera, control, allTransports, seen } = await joined()
    control.disconnect()
    control.acceptsOffers = false
    control.handlers['conference.join'] = () => {
      control.view.set({ ...aSession('p2'), publications: [aPublication()] })
      return { conference_session_id: '1', participant_id: 'p2', role: 'participant' }
    }
    control.start()
    await settle()
    expect(seen).toEqual(['connected', 'reconnecting', 'restoring-media'])
    expect(camera.get().is).toBe('on')
    const [offer] = control.offers.slice(-1)
    if (offer) control.answer(offer)
    allTransports.at(-1)?.onState('connected')
    await settle()
    expect(seen).toHaveLength(3)
    await offered({ control })
    expect(seen.slice(3)).toEqual(['connected'])
  })

  it('lasts until a remote frame is decoded again', async () => {
    const { control, transports, seen } = await joined()
    transports.decodes = false
    control.disconnect()
    transports.onState('failed')
    control.reconnect()
    transports.onState('connected')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(seen.at(-1)).toBe('restoring-media')
    transports.decodes = true
    await vi.advanceTimersByTimeAsync(100)
    expect(seen).toEqual(['connected', 'reconnecting', 'restoring-media', 'connected'])
  })

  it('does not wait for frames of videos that are paused or not visible', async () => {
    for (const change of ['paused', 'hidden'] as const) {
      const { call, control, transports, seen } = await joined()
      transports.decodes = false
      if (change === 'hidden') call.displaySizes.show(new Map([['pub1', null]]))
      control.disconnect()
      if (change === 'paused') control.addPublication(aPublication({ paused: true }))
      control.reconnect()
      expect(seen).toEqual(['connected', 'reconnecting', 'connected'])
    }
  })

  it('waits after a server restart for the former participants, up to a timeout', async () => {
    const { control, seen } = await joined()
    control.disconnect()
    control.handlers['conference.join'] = () => {
      control.view.set({ ...aSession('p2'), participants: [aParticipant('p2')] })
      return { conference_session_id: '1', participant_id: 'p2', role: 'participant' }
    }
    control.start()
    await settle()
    expect(seen.at(-1)).toBe('restoring-media')
    await vi.advanceTimersByTimeAsync(7_999)
    expect(seen.at(-1)).toBe('restoring-media')
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.at(-1)).toBe('connected')
  })

  it('waits after a server restart for what the former participants sent', async () => {
    const { control, seen } = await joined()
    control.disconnect()
    control.start()
    await settle()
    expect(control.view.get()?.publications).toEqual([])
    await vi.advanceTimersByTimeAsync(3_000)
    expect(seen.at(-1)).toBe('restoring-media')
    control.addPublication(aPublication())
    await offered({ control })
    expect(seen.at(-1)).toBe('connected')
  })

  it('does not wait for participants who have left meanwhile', async () => {
    const { control, seen } = await joined()
    control.disconnect()
    control.removePublication('pub1')
    control.updateSession({ participants: [aParticipant('p1')] })
    control.reconnect()
    expect(seen.at(-1)).toBe('connected')
  })

  it('continues through another loss without an end in between', async () => {
    const { call, control, transports, seen } = await joined()
    control.disconnect()
    const { sinceMs } = call.recovery.get() as { sinceMs: number }
    transports.onState('failed')
    await vi.advanceTimersByTimeAsync(2_000)
    control.reconnect()
    control.disconnect()
    control.reconnect()
    await settle()
    expect(call.recovery.get()).toEqual({ is: 'restoring-media', sinceMs })
    expect(seen.lastIndexOf('connected')).toBe(0)
  })

  it('starts when media alone is interrupted', async () => {
    const { call, control, transports, seen } = await joined()
    transports.onState('disconnected')
    transports.onState('connected')
    expect(seen).toEqual(['connected', 'restoring-media', 'connected'])
    control.handlers['media.open'] = () => refuse('unsupported_feature')
    control.moveRoutes('2')
    await settle()
    expect(call.recovery.get()).toEqual({ is: 'media-unavailable' })
  })
})
