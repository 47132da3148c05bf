import type { TransportState } from '../../call/ports.ts'

/** Longer than a change of network or a restart of the server takes. */
const BLOCKED_AFTER_MS = 15_000

/** What is said while audio and video are restored: at first that they will return, then what may be the cause. */
export const mediaTextKey = (transport: TransportState, elapsedMs: number): 'media' | 'blocked' =>
  transport !== 'connected' && elapsedMs >= BLOCKED_AFTER_MS ? 'blocked' : 'media'
