import type { UserKind } from '@lectern/protocol'
import type { ProtocolLimits } from '@lectern/protocol/control'

/** What an outsider can make the server hold or do. The numbers stand in docs/control-protocol.md. */

/** What v2 clients are told (contract §8 "Protocol limits"). */
export function protocolLimits(graceMs: number): ProtocolLimits {
  return {
    max_frame_bytes: MAX_FRAME_BYTES,
    max_inflight_commands: MAX_INFLIGHT,
    max_sync_parts: 256,
    max_sync_bytes: 16_777_216,
    sync_timeout_ms: 15_000,
    command_retry_window_ms: RETRY_WINDOW_MS,
    resume_grace_ms: resumeGraceMs(graceMs),
  }
}

export const MAX_FRAME_BYTES = 262_144
/** A frame above this is cut off while it arrives (close code 1009), before anybody could read it. */
export const MAX_PAYLOAD_BYTES = 2 * MAX_FRAME_BYTES
export const MAX_INFLIGHT = 64
export const RETRY_WINDOW_MS = 300_000

/** Ends before the grace time of conferences, so that who can resume is still in the conference. */
export const resumeGraceMs = (graceMs: number) => Math.max(graceMs - 1000, Math.floor(graceMs / 2))

export const LOGIN_WITHIN_MS = 10_000
export const PING_EVERY_MS = 8_000
export const HEARD_WITHIN_MS = 20_000
/** So often a quiet connection hears something that browsers show to a page, which pings are not. */
export const SAY_EVERY_MS = 10_000
export const CLOSE_WITHIN_MS = 3_000
export const CHECK_LOGIN_EVERY_MS = 60_000
/** Work that takes longer is answered with `received` first. */
export const LONG_WORK_MS = 1_000

/** A reader that lets more pile up is cut off; signals are not even begun above the lower mark. */
export const BUFFERED_MAX = 4_194_304
export const BUFFERED_LOSSY = 65_536

/** What can be replayed of a stream. */
export const WINDOW_EVENTS = 1_000
export const WINDOW_CHARACTERS = 1_048_576

export const SYNC_COST = 20
/** Workers have one for each job besides their own, and several workers may share an account. */
export const connectionsMax = (kind: UserKind) => (kind === 'worker' ? 1_024 : 64)
export const PLACES_OF_ONE_CONNECTION = 8
/** Streams that a connection left, or that ended, and whose end it may not have heard. */
export const ENDED_KEPT = 8
export const RESULTS_KEPT = 50_000
export const SIGNAL_BODY_BYTES = 1_024
export const SIGNAL_TTL_MS = 10_000
/** A speaker who goes on is heard again before. */
export const PARTIAL_TTL_MS = 3_000
