import type { ReplyTarget } from './codec.ts'
import type { ControlFrame } from './frame.ts'
import type { Binding, ControlError } from './shared.ts'

/** The reply to a rejected frame (rule F12) on the connection with this binding. */
export function refusalFrame(to: ReplyTarget, error: ControlError, binding: Binding): ControlFrame {
  switch (to.kind) {
    case 'control_command':
      return { control_result: { binding, command_id: to.command_id, status: 'rejected', error } }
    case 'control_sync':
      return { control_sync_result: { request_id: to.request_id, status: 'resume_rejected', error } }
    case 'control_media':
      return { control_media: { binding, media: to.media, name: 'webrtc_answer', body: { error } } }
  }
}
