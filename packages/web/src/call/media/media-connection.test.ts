import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, joinCall, settle } from '../testing/call-harness.ts'
import { refuse } from '../testing/fake-control.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('MediaConnection', () => {
  it('opens an endpoint after the join and sends its RTP capabilities', async () => {
    const { call, control } = await joinCall()
    expect(control.commands.slice(1)).toEqual([
      { name: 'media.open', target: { kind: 'conference_session', id: '1' }, body: {} },
      {
        name: 'media.receive',
        target: { kind: 'conference_session', id: '1' },
        body: { endpoint_id: 'e1', rtp_capabilities: { codecs: [] } },
      },
    ])
    expect(call.media.get()).toMatchObject({ is: 'open' })
  })

  const OPENED = { endpoint_id: 'e0', rtc_node_id: 'node', route_generation: '1' }
  const capabilities = { codecs: [{ mimeType: 'video/VP8' }] }
  /** A server that opens an endpoint with the join, if it is asked to. */
  const preparedCall = () => {
    const harness = createCallHarness({ receivingCapabilities: () => capabilities })
    const { handlers } = harness.control
    const join = handlers['conference.join']
    handlers['conference.join'] = (body, target) => ({
      ...(join?.(body, target) as object),
      ...('media' in body && { media: OPENED }),
    })
    return harness
  }
  const offerOf = (endpoint_id: string) => ({
    name: 'webrtc_offer' as const,
    media: {
      conference_session_id: '1',
      participant_instance_id: 'p1',
      publication_id: 'pub1',
      endpoint_id,
      negotiation_id: 'n1',
      rtc_node_id: 'node',
      route_generation: '1',
      scope: 'video-subscribe' as const,
    },
    body: { format: 'ortc', consumer_id: 'c1', kind: 'video', source: 'camera', participant_id: 'p2' },
  })

  it('has its endpoint from the join when the capabilities of the browser are known', async () => {
    const { call, control, enter } = preparedCall()
    await enter()
    expect(control.commands).toMatchObject([
      { name: 'conference.join', body: { media: { rtp_capabilities: capabilities } } },
    ])
    expect(call.media.get()).toMatchObject({ is: 'open', endpoint: { nodeId: 'node' } })
  })

  it('handles offers for it that arrive before the result of the join', async () => {
    const { call, control, enter, allTransports } = preparedCall()
    const join = control.handlers['conference.join']
    control.handlers['conference.join'] = (body, target) => {
      control.receiveMedia(offerOf('e0'))
      control.receiveMedia(offerOf('another'))
      return join?.(body, target)
    }
    await enter()
    expect(allTransports.map(({ consumed }) => consumed)).toEqual([['pub1']])
    expect(control.media).toMatchObject([{ name: 'webrtc_answer', media: { endpoint_id: 'e0' } }])
    expect(call.media.get()).toMatchObject({ is: 'open' })
  })

  it('opens an endpoint after the join when the join has none', async () => {
    const { call, control, enter } = createCallHarness({ receivingCapabilities: () => capabilities })
    await enter()
    expect(control.commands.map(({ name }) => name)).toEqual([
      'conference.join',
      'media.open',
      'media.receive',
    ])
    expect(call.media.get()).toMatchObject({ is: 'open' })
  })

  it('joins without media where an older server does not know it', async () => {
    const { call, control, enter } = preparedCall()
    const join = control.handlers['conference.join']
    control.handlers['conference.join'] = (body, target) =>
      'media' in body ? refuse('invalid_argument') : join?.(body, target)
    await enter()
    expect(control.bodies('conference.join')).toMatchObject([{ media: {} }, { display_name: 'Anna' }])
    expect(call.media.get()).toMatchObject({ is: 'open' })
  })

  it('keeps the endpoint through a lost connection', async () => {
    const { control, allTransports } = await joinCall()
    control.disconnect()
    control.reconnect()
    await settle()
    expect(allTransports.map(({ closed }) => closed)).toEqual([false])
  })

  it('reports when the transports carry nothing, until they do again', async () => {
    const { call, transports } = await joinCall()
    const states = [call.media.transport.get()]
    call.media.transport.subscribe(() => states.push(call.media.transport.get()))
    for (const state of ['disconnected', 'connected', 'failed'] as const) transports.onState(state)
    call.leave()
    expect(states).toEqual(['new', 'disconnected', 'connected', 'failed', 'new'])
  })

  it('opens another endpoint on a new connection', async () => {
    const { control, allTransports } = await joinCall()
    control.disconnect()
    control.start()
    await settle()
    expect(allTransports.map(({ closed }) => closed)).toEqual([true, false])
  })

  it('opens another endpoint when the routes have moved, and only then', async () => {
    const { control, allTransports } = await joinCall()
    control.moveRoutes('1')
    await settle()
    expect(allTransports).toHaveLength(1)
    control.moveRoutes('10')
    await settle()
    expect(allTransports.map(({ closed }) => closed)).toEqual([true, false])
  })

  it('keeps its endpoint when another worker of the session has died', async () => {
    const { control, allTransports } = await joinCall()
    control.moveRoutes('10', { workers: ['node'] })
    await settle()
    expect(allTransports.map(({ closed }) => closed)).toEqual([false])
    control.moveRoutes('11', { workers: ['node10', 'node11'] })
    await settle()
    expect(allTransports.map(({ closed }) => closed)).toEqual([true, false])
  })

  it('discards an endpoint of a stale route and backs off before the next one', async () => {
    const { call, control, allTransports } = await joinCall()
    control.moveRoutes('7', { late: true })
    await settle()
    expect(call.media.get()).toEqual({ is: 'waiting' })
    expect(allTransports.map(({ closed }) => closed)).toEqual([true, true])
    control.moveRoutes('7')
    await vi.advanceTimersByTimeAsync(500)
    expect(call.media.get()).toMatchObject({ is: 'open' })
  })

  it('retries with back-off while the server has no endpoint', async () => {
    const { call, control } = createCallHarness()
    const open = control.handlers['media.open']
    control.handlers['media.open'] = () => refuse('temporarily_unavailable')
    call.open()
    await vi.advanceTimersByTimeAsync(500 + 1_000 + 2_000)
    expect(control.bodies('media.open')).toHaveLength(4)
    control.handlers['media.open'] = open ?? (() => ({}))
    call.networkChanged()
    await settle()
    expect(call.media.get()).toMatchObject({ is: 'open' })
  })

  it('gives up where media is unsupported', async () => {
    const { call, control } = createCallHarness()
    control.handlers['media.open'] = () => refuse('unsupported_feature')
    call.open()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(call.media.get()).toEqual({ is: 'unavailable' })
    expect(call.get()).toMatchObject({ is: 'joined' })
    expect(control.bodies('media.open')).toHaveLength(1)
  })

  it('restarts ICE on another network, and opens another endpoint when that does not help', async () => {
    const { call, control, transports, allTransports } = await joinCall()
    const ice = { send: { ice_parameters: { a: 1 } }, receive: { ice_parameters: { b: 1 } } }
    control.handlers['media.restart_ice'] = () => ice
    transports.onState('connected')
    call.networkChanged()
    await settle()
    expect(control.bodies('media.restart_ice')).toEqual([{ endpoint_id: 'e1' }])
    expect(transports.restarts).toEqual([ice])
    transports.onState('failed')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(allTransports.map(({ closed }) => closed)).toEqual([true, false])
  })

  it('restarts ICE as soon as the control channel is back, and not before', async () => {
    const { control, transports, allTransports } = await joinCall()
    control.disconnect()
    transports.onState('failed')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(control.bodies('media.restart_ice')).toEqual([])
    control.reconnect()
    await settle()
    expect(control.bodies('media.restart_ice')).toEqual([{ endpoint_id: 'e1' }])
    expect(allTransports).toHaveLength(1)
  })

  it.each([0, 3_000, 9_000, 60_000])(
    'opens one endpoint when the server is back %i ms after a restart',
    async downMs => {
      const { call, control, transports, allTransports } = await joinCall()
      control.disconnect()
      transports.onState('disconnected')
      await vi.advanceTimersByTimeAsync(downMs)
      call.networkChanged()
      control.start()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(control.bodies('media.open')).toHaveLength(2)
      expect(allTransports.map(({ closed }) => closed)).toEqual([true, false])
    },
  )

  it('aborts the commands for an obsolete endpoint', async () => {
    const { control, enter } = createCallHarness()
    const open = control.handlers['media.open']
    control.handlers['media.open'] = () => new Promise(() => {})
    await enter()
    control.handlers['media.open'] = open ?? (() => ({}))
    control.start()
    await settle()
    expect(control.aborted).toEqual(['media.open'])
  })

  it('retries at once when the control channel has returned', async () => {
    const { call, control } = createCallHarness()
    const open = control.handlers['media.open']
    control.handlers['media.open'] = () => refuse('temporarily_unavailable')
    call.open()
    await vi.advanceTimersByTimeAsync(60_000)
    control.handlers['media.open'] = open ?? (() => ({}))
    control.disconnect()
    control.reconnect()
    await settle()
    expect(call.media.get()).toMatchObject({ is: 'open' })
  })

  it('closes an endpoint that was opened too late', async () => {
    const { call, control, allTransports } = createCallHarness()
    const late = Promise.withResolvers<object>()
    control.handlers['media.open'] = () => late.promise
    call.open()
    await settle()
    call.leave()
    late.resolve({ endpoint_id: 'e1', rtc_node_id: 'node', route_generation: '1' })
    await settle()
    expect(allTransports).toEqual([])
    expect(call.media.get()).toEqual({ is: 'closed' })
  })
})
