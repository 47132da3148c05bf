import type { Account } from './members.ts'
import { loginFrame, OFFER } from './raw-control.ts'

/** The state of a connection, from which almost valid frames are built. */
export interface ConnectionState {
  account: Account
  tag: string
  binding: unknown
  resumeToken: string
  streams: { stream_id: string; stream_epoch: string; seq: string }[]
  session: string
  participant: string
}

/** The stage of a connection at which malformed frames are sent. */
export const STAGES = ['greeting', 'logged-in', 'ready', 'v1'] as const
export type Stage = (typeof STAGES)[number]

let created = 0

const command = ({ binding }: ConnectionState, kind: string, id: string, name: string, body: object) => ({
  control_command: { binding, command_id: `c.${++created}`, target: { kind, id }, name, body, ttl_ms: 5000 },
})

const bodies = {
  'chat.send': { text: 'Hello' },
  'chat.history': { limit: 5 },
  'chat.set_mode': { mode: 'open' },
  'participant.update': { hand_raised: true, display_name: 'Mia' },
  'participant.mute': { source: 'audio' },
  'participant.remove': { participant_id: 'p.1' },
  'participant.readmit': { user_id: '1' },
}

const media = (state: ConnectionState) => ({
  conference_session_id: state.session,
  participant_instance_id: state.participant,
  publication_id: 'p.1',
  endpoint_id: 'e.1',
  negotiation_id: 'n.1',
  rtc_node_id: 'r.1',
  route_generation: '1',
  scope: 'audio',
})

export const login = (state: ConnectionState) => loginFrame(state.account, { offer: OFFER })
export const sync = (instance: string) => ({
  control_sync: { request_id: `r.${++created}`, control_instance_id: instance, mode: 'fresh', cursors: [] },
})
export const join = (state: ConnectionState) => command(state, 'conference', state.tag, 'conference.join', {})

const signal = ({ binding, streams, participant }: ConnectionState) => ({
  control_signal: {
    binding,
    stream_id: streams[0]?.stream_id,
    stream_epoch: streams[0]?.stream_epoch,
    source_id: participant,
    signal_seq: '1',
    ttl_ms: 1000,
    name: 'chat.typing',
    body: { typing: true },
  },
})

const later = (state: ConnectionState) => [
  {
    control_sync: {
      ...sync('i.1').control_sync,
      mode: 'resync',
      cursors: state.streams,
      binding: state.binding,
    },
  },
  {
    control_sync: {
      ...sync('i.1').control_sync,
      mode: 'resume',
      cursors: state.streams,
      resume: { binding: state.binding, resume_token: state.resumeToken },
    },
  },
  {
    control_media: {
      binding: state.binding,
      media: media(state),
      name: 'webrtc_offer',
      body: { sdp: 'v=0' },
    },
  },
  signal(state),
  { control_result: { binding: state.binding, command_id: 'c.1', status: 'applied' } },
]

const commands = (state: ConnectionState) =>
  Object.entries(bodies).map(([name, body]) =>
    command(state, 'conference_session', state.session, name, body),
  )

/** Valid frames of every stage, which are then mutated. */
export const templates: Record<Stage, (state: ConnectionState) => object[]> = {
  greeting: state => [
    login(state),
    loginFrame(state.account),
    loginFrame(state.account, { link: 'https://example.org/j/none' }),
  ],
  'logged-in': state => [sync('i.2'), ...later(state), ...commands(state)],
  ready: state => [...later(state), ...commands(state), ...commands(state)],
  v1: state =>
    Object.entries({ ...bodies, 'conference.join': {} }).map(([name, params]) => ({
      id: `v.${++created}`,
      command: name,
      target:
        name === 'conference.join'
          ? { kind: 'conference', id: state.tag }
          : { kind: 'conference_session', id: state.session },
      params,
    })),
}
