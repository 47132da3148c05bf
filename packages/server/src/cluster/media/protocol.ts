import type {
  MediaServer,
  MediaTraffic,
  MediaWorkerStatus,
  ProbeTransport,
  RemotePublication,
  RoomDescription,
  RoomOpening,
  SfuEvents,
} from '../../media/ports.ts'
import type { MutableSource } from '../../sessions/ports.ts'

/** Messages between servers and media nodes. Those of one server to one node have one subject, which keeps their order. */

export const nodeSubject = (nodeId: string): string => `media.${nodeId}`
export const eventsSubject = (ownerId: string): string => `media.${ownerId}.events`

/** Methods of the media server that a node carries out in the room of one session, which the first argument names. */
export const roomMethods = [
  'openEndpoint',
  'setRtpCapabilities',
  'openEgress',
  'closeEgress',
  'requestKeyFrame',
  'restartIce',
  'publish',
  'answer',
  'pause',
  'resume',
  'setLayers',
  'close',
  'openRoute',
  'closeRoom',
  'closeParticipant',
  'mute',
] as const satisfies (keyof MediaServer)[]

export type RoomMethod = (typeof roomMethods)[number]

/** The session that the first argument of a method names; undefined when the arguments are malformed. */
export function sessionIdIn([first]: unknown[]): number | undefined {
  const id =
    typeof first === 'object' && first !== null ? (first as { sessionId?: unknown }).sessionId : first
  return Number.isSafeInteger(id) ? (id as number) : undefined
}

export interface Mute {
  participantId: string
  source: MutableSource
}

/** A room under the incarnation of the sender. Nodes refuse what older incarnations send. */
export interface RoomRef {
  sessionId: number
  incarnation: number
}

/** Requests to a node, and their answers. */
export interface NodeRequests {
  /** Opens a room, or adds to what is known of it. */
  open: [RoomOpening, { is: 'open' | 'full' | 'superseded' }]
  call: [
    { method: RoomMethod; incarnation: number; args: unknown[] },
    { is: 'done'; value: unknown } | { is: 'unknown_room' | 'superseded' },
  ]
  /** Closes what the owner does not know, and repeats unanswered offers. */
  reconcile: [RoomRef & { members: string[]; mutes: Mute[] }, RoomDescription | null]
  /** Makes publications of other nodes known in the room, or their next producers; and drops some. */
  remote: [
    RoomRef & { add: RemotePublication[]; remove: string[] },
    { is: 'done' | 'unknown_room' | 'superseded' },
  ]
  /** From another node, about the pipes between both (media/pipes/node-protocol.ts). */
  pipe: [object, unknown]
  /** The room stays open for the next owner. */
  release: [RoomRef, null]
  /** Makes the sender the owner of a room of an earlier incarnation; null when there is none. */
  adopt: [RoomRef, RoomDescription | null]
  /**
   * All rooms that the sender has on the node: it closes its others. Answers which of them the node does not have, and
   * the number of the last event for the sender.
   */
  keep: [{ sessionIds: number[] }, { unknown: number[]; lastEvent: number }]
  traffic: [{ sessionIds: number[] }, MediaTraffic]
  workers: [object, MediaWorkerStatus[]]
  probe: [{ lifetimeMs: number }, ProbeTransport]
  ping: [object, null]
}

export type NodeRequestName = keyof NodeRequests

export interface NodeRequest<N extends NodeRequestName = NodeRequestName> {
  name: N
  body: NodeRequests[N][0]
}

export const eventNames = [
  'offer',
  'published',
  'changed',
  'unpublished',
  'moved',
  'activeSpeaker',
  'audioLevels',
  'quality',
  'reception',
  'undecodable',
] as const satisfies (keyof SfuEvents)[]

export type SfuEventName = (typeof eventNames)[number]

/** Besides the events of the media server: a publication has another producer, which other nodes can receive. */
export const TRACK = 'track'
export type NodeEventName = SfuEventName | typeof TRACK

/** An event of a room for its owner. Events of a node for one owner are numbered, so that a lost one is noticed. */
export interface NodeEvent {
  number: number
  name: NodeEventName
  args: unknown[]
}

/** The measurements by which nodes are chosen; part of the status that a node reports. */
export interface NodeLoad {
  /** 1 when its workers forward about as much as they can. */
  load: number
  /** The highest file descriptor usage among its workers, 0 to 1. */
  descriptors: number
  /** Workers that are alive, and how many there should be. */
  workers: number
  expectedWorkers: number
  /** Consumers that its workers serve well. */
  capacity: number
  rooms: number
}
