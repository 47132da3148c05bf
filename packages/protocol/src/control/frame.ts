import type { ControlCommand } from './envelopes/command.ts'
import type { ControlEvent } from './envelopes/event.ts'
import type { ControlMedia } from './envelopes/media.ts'
import type { ControlResult } from './envelopes/result.ts'
import type { ControlSignal } from './envelopes/signal.ts'
import type { ControlSnapshot } from './envelopes/snapshot.ts'
import type { ControlSync } from './envelopes/sync.ts'
import type { ControlSyncResult } from './envelopes/sync-result.ts'

/** The content under the only top-level key of a frame (docs/control-protocol.md#envelopes). */
export interface Envelopes {
  control_command: ControlCommand
  control_result: ControlResult
  control_event: ControlEvent
  control_signal: ControlSignal
  control_media: ControlMedia
  control_sync: ControlSync
  control_snapshot: ControlSnapshot
  control_sync_result: ControlSyncResult
}

export type EnvelopeKind = keyof Envelopes

/** A frame of one kind, e.g. `{ control_sync: { … } }`. */
export type FrameOf<K extends EnvelopeKind> = { [P in K]: Envelopes[P] }

export type ControlFrame = { [K in EnvelopeKind]: FrameOf<K> }[EnvelopeKind]

/** Frames that a client sends. Both sides send signals and media. */
export const CLIENT_ENVELOPES = [
  'control_command',
  'control_signal',
  'control_media',
  'control_sync',
] as const
export type ClientEnvelopeKind = (typeof CLIENT_ENVELOPES)[number]

/** Frames that the server sends. */
export const SERVER_ENVELOPES = [
  'control_result',
  'control_event',
  'control_signal',
  'control_media',
  'control_snapshot',
  'control_sync_result',
] as const
export type ServerEnvelopeKind = (typeof SERVER_ENVELOPES)[number]

/** Serializes a frame. The caller MUST check its size: see `utf8Length` and max_frame_bytes. */
export function encodeFrame(frame: ControlFrame): string {
  return JSON.stringify(frame)
}
