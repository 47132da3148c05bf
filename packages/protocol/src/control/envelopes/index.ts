import { ControlCommand } from './command.ts'
import { ControlEvent } from './event.ts'
import { ControlMedia } from './media.ts'
import { ControlResult } from './result.ts'
import { ControlSignal } from './signal.ts'
import { ControlSnapshot } from './snapshot.ts'
import { ControlSync } from './sync.ts'
import { ControlSyncResult } from './sync-result.ts'

/** The eight envelopes: the only top-level key of a frame, and its content (docs/control-protocol.md#envelopes). */
export const envelopes = {
  control_command: ControlCommand,
  control_result: ControlResult,
  control_event: ControlEvent,
  control_signal: ControlSignal,
  control_media: ControlMedia,
  control_sync: ControlSync,
  control_snapshot: ControlSnapshot,
  control_sync_result: ControlSyncResult,
}

export * from './command.ts'
export * from './event.ts'
export * from './media.ts'
export * from './result.ts'
export * from './signal.ts'
export * from './snapshot.ts'
export * from './sync.ts'
export * from './sync-result.ts'
