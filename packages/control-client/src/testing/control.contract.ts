import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ControlClient } from '../client.ts'
import { ControlFailure } from '../failure.ts'

type Control = Pick<
  ControlClient,
  'close' | 'command' | 'onStart' | 'open' | 'sendMedia' | 'session' | 'state'
>

/** A control channel that is not open yet, of somebody who may join the conference. */
export interface ControlParty {
  control: Control
  tag: string
  /** Breaks the connection for a moment; what is sent meanwhile waits. */
  disconnect: () => void
  reconnect: () => void
  close: () => unknown
}

/**
 * Describes what a call relies on. It runs on the client with a real server, and on the fake that components are tested
 * with.
 */
export function describeControl(open: () => Promise<ControlParty>) {
  describe('control channel', () => {
    let party: ControlParty
    let control: Control
    let starts: number
    beforeEach(async () => {
      party = await open()
      ;({ control } = party)
      starts = 0
      control.onStart(() => void starts++)
    })
    afterEach(() => party.close())

    const isReady = () => vi.waitUntil(() => control.state.get().is === 'ready', { timeout: 100_000 })
    const join = () => control.command('conference.join', { kind: 'conference', id: party.tag }, {})

    it('is ready after it is opened, and reports the start of a connection that is new to the server', async () => {
      expect(control.state.get().is).toBe('idle')
      control.open()
      await isReady()
      expect(starts).toBe(1)
    })

    it('joins a session, whose state is there with the result or soon after, with this participant', async () => {
      control.open()
      await isReady()
      const { conference_session_id, participant_id, role } = await join()
      expect(role).toBe('participant')
      const session = control.session(conference_session_id)
      await vi.waitUntil(() => session.get() !== null, { timeout: 100_000 })
      expect(session.get()?.participants.map(each => each.participant_id)).toContain(participant_id)
      expect(session.get()).toMatchObject({ chat_mode: 'open', locked: false, recording: false, ended: null })
    })

    it('sends commands of the session after a join at the start, whenever they were given', async () => {
      const joined = new Promise<string>(resolve => {
        control.onStart(() => void join().then(result => resolve(result.conference_session_id)))
      })
      control.open()
      const id = await joined
      await control.command('participant.update', { kind: 'conference_session', id }, { hand_raised: true })
    })

    it('rejects an aborted command', async () => {
      const abort = new AbortController()
      const { tag } = party
      const command = control.command(
        'lobby.leave',
        { kind: 'conference', id: tag },
        {},
        { signal: abort.signal },
      )
      abort.abort()
      await expect(command).rejects.toThrow(ControlFailure)
      await expect(command).rejects.toMatchObject({ code: 'aborted' })
    })

    it('sends no media message while it is not ready', async () => {
      const media = {
        conference_session_id: '1',
        participant_instance_id: 'p',
        publication_id: 'u',
        endpoint_id: 'e',
        negotiation_id: 'n',
        rtc_node_id: 'r',
        route_generation: '1',
        scope: 'video',
      } as const
      expect(control.sendMedia(media, 'webrtc_offer', {})).toBe(false)
    })

    it('keeps the session over a lost connection, and sends afterwards what was given meanwhile', async () => {
      control.open()
      await isReady()
      const { conference_session_id: id } = await join()
      const generation = () => {
        const state = control.state.get()
        return state.is === 'ready' ? Number(state.binding.binding_generation) : 0
      }
      const before = generation()
      const lost = new Promise<void>(resolve => {
        control.state.subscribe(() => control.state.get().is !== 'ready' && resolve())
      })
      party.disconnect()
      await lost
      const target = { kind: 'conference_session', id } as const
      const command = control.command('participant.update', target, { hand_raised: true })
      party.reconnect()
      await command
      expect(generation()).toBeGreaterThan(before)
      expect(starts).toBe(1)
    })
  })
}
