import { getHeapStatistics } from 'node:v8'
import type { ProtocolLimits } from '@lectern/protocol/control'

/** Bounds on what a client can make the server store or do, as docs/control-protocol.md defines them. */

/** The limits that the login reports to v2 clients (docs/control-protocol.md#limits). */
export function protocolLimits(graceMs: number): ProtocolLimits {
  return {
    max_frame_bytes: MAX_FRAME_BYTES,
    max_inflight_commands: MAX_INFLIGHT,
    max_sync_parts: 256,
    max_sync_bytes: 16_777_216,
    sync_timeout_ms: SYNC_TIMEOUT_MS,
    command_retry_window_ms: RETRY_WINDOW_MS,
    resume_grace_ms: resumeGraceMs(graceMs),
  }
}

export const MAX_FRAME_BYTES = 262_144
/** A frame above this is cut off while it arrives (close code 1009), before anybody could read it. */
export const MAX_PAYLOAD_BYTES = 2 * MAX_FRAME_BYTES
export const MAX_INFLIGHT = 64
export const RETRY_WINDOW_MS = 300_000

/** Shorter than the grace time of conferences, so that a resumed connection is still in its conference. */
export const resumeGraceMs = (graceMs: number) => Math.max(graceMs - 1000, Math.floor(graceMs / 2))

export const LOGIN_TIMEOUT_MS = 10_000
/** When there are too many sockets, one that has waited this long for its login gives way to a new one. */
export const EVICTABLE_AFTER_MS = 2_000
/** Sockets beyond the limit of the server, so that workers can log in while it is full. */
export const RESERVED_SOCKETS = 64
export const SYNC_TIMEOUT_MS = 15_000
export const PING_INTERVAL_MS = 8_000
export const HEARTBEAT_TIMEOUT_MS = 20_000
/** Pages cannot see WebSocket pings, so that a quiet connection gets a signal this often. */
export const KEEPALIVE_INTERVAL_MS = 6_000
export const CLOSE_TIMEOUT_MS = 3_000
export const LOGIN_CHECK_INTERVAL_MS = 60_000
/** Work that takes longer is answered with `received` first. */
export const PROGRESS_AFTER_MS = 1_000

/** A reader that lets more pile up is cut off; signals are not even begun above the lower mark. */
export const SEND_BUFFER_MAX_BYTES = 4_194_304
export const LOSSY_SEND_BUFFER_MAX_BYTES = 65_536

/** The burst: the budget of this many seconds may be spent at once. */
export const FRAMES_BURST_SECONDS = 10
/** The connections of an account share the budget of this many: somebody's devices, some of them reloaded. */
export const ACCOUNT_FRAMES_FACTOR = 4
/** A frame counts once more for each of these bytes that it has. */
export const FRAME_UNIT_BYTES = 4_096
export const SYNC_COST = 20
/** The minimum charge for an answer, in bytes (rule K13). */
export const MIN_ANSWER_BYTES = 1_024
/** The parameters of transports. */
export const ENDPOINT_ANSWER_BYTES = 8_192
/** A snapshot; a larger one is charged as it is. */
export const SNAPSHOT_ANSWER_BYTES = 16_384
export const ANSWERS_BURST_SECONDS = 20
export const CHAT_BURST_SECONDS = 20
export const NOTIFICATIONS_BURST_SECONDS = 60
/** A worker's account does the jobs of many sessions. */
export const WORKER_FACTOR = 16
export const MEMBERSHIPS_PER_CONNECTION_MAX = 8
/** Streams of a connection that have ended, and whose end its client may have missed. */
export const ENDED_STREAMS_MAX = 8

/** How much the idempotency cache holds (rules K14 and K15). Bytes of heap, estimated. */
export interface ResultLimits {
  /** An account that holds as much gives no more commands until its oldest results are out of the window. */
  ofPerson: number
  ofWorker: number
  /** Bytes of all accounts together: every account may add up to here, and accounts that hold little up to twice as much. */
  ofAll: number
  guaranteed: number
  /** Ids of commands whose results are not kept, for each minute. */
  repeatableIds: number
}

/** Limits of stored results, which take at most a quarter of the memory that this process may use. */
export const resultLimits = (heapBytes = getHeapStatistics().heap_size_limit): ResultLimits => ({
  ofPerson: 4_194_304,
  ofWorker: 33_554_432,
  ofAll: heapBytes / 8,
  guaranteed: 32_768,
  repeatableIds: 30_000,
})

export const SIGNAL_BODY_MAX_BYTES = 1_024
export const SIGNAL_TTL_MAX_MS = 10_000
/** Smooth for the eye; the pages send half as many. */
export const POINTERS_PER_SECOND = 20
/** To all receivers together: a pointer before hundreds of people moves in steps. */
export const POINTER_DELIVERIES_PER_SECOND = 1_200
export const POINTER_BURST_SECONDS = 1
export const REACTIONS_PER_MINUTE = 60
export const REACTIONS_BURST_SECONDS = 5
/** Longer than the time between two partial transcripts of a speaker. */
export const PARTIAL_TRANSCRIPT_TTL_MS = 3_000

/** Somebody draws one stroke at a time; the pages send as often. */
export const INKS_PER_SECOND = 10
/** To all who watch in a session: when many draw before hundreds of people, ink moves in steps. */
export const INK_DELIVERIES_PER_SECOND = 20_000
export const INK_BURST_SECONDS = 1
/** Ink that is older is on the page, or was withdrawn. */
export const INK_TTL_MAX_MS = 2_000

/** A page is sent when no more than this waits to be sent before it. */
export const WATCH_BUFFER_MAX_BYTES = 262_144
/** Retries of a watch that has to wait. */
export const WATCH_WAITS_MAX = 200
/** Missed events of watched pages up to this size are sent again in a resume; the client opens the other pages itself. */
export const PAGE_REPLAY_MAX_BYTES = 1_048_576
