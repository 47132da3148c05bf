import type { Account } from './members.ts'
import { loginFrame, OFFER } from './raw-control.ts'

/** What a connection has got from the server, for frames that get far before they are found wrong. */
export interface Known {
  account: Account
  tag: string
  binding: unknown
  resumeToken: string
  streams: { stream_id: string; stream_epoch: string; seq: string }[]
  session: string
  participant: string
}

/** Where a connection stands when the malformed frames come. */
export const STAGES = ['greeting', 'logged-in', 'ready', 'v1'] as const
export type Stage = (typeof STAGES)[number]

let made = 0

const command = ({ binding }: Known, kind: string, id: string, name: string, body: object) => ({
  control_command: { binding, command_id: `c.${++made}`, target: { kind, id }, name, body, ttl_ms: 5000 },
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

const media = (known: Known) => ({
  conference_session_id: known.session,
  participant_instance_id: known.participant,
  publication_id: 'p.1',
  endpoint_id: 'e.1',
  negotiation_id: 'n.1',
  rtc_node_id: 'r.1',
  route_generation: '1',
  scope: 'audio',
})

export const login = (known: Known) => loginFrame(known.account, { offer: OFFER })
export const sync = (instance: string) => ({
  control_sync: { request_id: `r.${++made}`, control_instance_id: instance, mode: 'fresh', cursors: [] },
})
export const join = (known: Known) => command(known, 'conference', known.tag, 'conference.join', {})

const signal = ({ binding, streams, participant }: Known) => ({
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

const later = (known: Known) => [
  {
    control_sync: {
      ...sync('i.1').control_sync,
      mode: 'resync',
      cursors: known.streams,
      binding: known.binding,
    },
  },
  {
    control_sync: {
      ...sync('i.1').control_sync,
      mode: 'resume',
      cursors: known.streams,
      resume: { binding: known.binding, resume_token: known.resumeToken },
    },
  },
  {
    control_media: {
      binding: known.binding,
      media: media(known),
      name: 'webrtc_offer',
      body: { sdp: 'v=0' },
    },
  },
  signal(known),
  { control_result: { binding: known.binding, command_id: 'c.1', status: 'applied' } },
]

const commands = (known: Known) =>
  Object.entries(bodies).map(([name, body]) =>
    command(known, 'conference_session', known.session, name, body),
  )

/** Valid frames of each stage, to be spoilt. */
export const templates: Record<Stage, (known: Known) => object[]> = {
  greeting: known => [
    login(known),
    loginFrame(known.account),
    loginFrame(known.account, { link: 'https://example.org/j/none' }),
  ],
  'logged-in': known => [sync('i.2'), ...later(known), ...commands(known)],
  ready: known => [...later(known), ...commands(known), ...commands(known)],
  v1: known =>
    Object.entries({ ...bodies, 'conference.join': {} }).map(([name, params]) => ({
      id: `v.${++made}`,
      command: name,
      target:
        name === 'conference.join'
          ? { kind: 'conference', id: known.tag }
          : { kind: 'conference_session', id: known.session },
      params,
    })),
}
