import type { ReplyTarget } from './codec.ts'
import type { ControlFrame } from './frame.ts'
import type { Binding, ControlError } from './shared.ts'

/** The reply to a rejected frame (rule F12) on the connection with this binding. Null: without one only syncs have a reply. */
export function refusalFrame(to: ReplyTarget, error: ControlError, binding?: Binding): ControlFrame | null {
  if (to.kind === 'control_sync')
    return { control_sync_result: { request_id: to.request_id, status: 'resume_rejected', error } }
  if (!binding) return null
  return to.kind === 'control_command'
    ? { control_result: { binding, command_id: to.command_id, status: 'rejected', error } }
    : { control_media: { binding, media: to.media, name: 'webrtc_answer', body: { error } } }
}
