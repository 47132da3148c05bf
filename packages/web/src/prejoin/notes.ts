import type { InputState } from '../devices/input.ts'
import type { InputKind } from '../devices/port.ts'
import type { DeviceTrouble } from '../devices/trouble.ts'

/** A message about a device. */
export type Note =
  | { is: 'trouble'; of: InputKind | 'both'; trouble: DeviceTrouble }
  | { is: 'replaced'; of: InputKind; previous: string; current: string }
  | { is: 'interrupted'; of: InputKind }

/** A problem of both devices is reported once. */
export function notesOf(camera: InputState, microphone: InputState): Note[] {
  if (camera.is === 'failed' && microphone.is === 'failed' && camera.trouble === microphone.trouble)
    return [{ is: 'trouble', of: 'both', trouble: camera.trouble }]
  return [...notesOfOne('microphone', microphone), ...notesOfOne('camera', camera)]
}

function notesOfOne(of: InputKind, state: InputState): Note[] {
  if (state.is === 'failed') return [{ is: 'trouble', of, trouble: state.trouble }]
  if (state.is !== 'on') return []
  const { replaces, track, interrupted } = state
  return [
    ...(replaces === null ? [] : [{ is: 'replaced' as const, of, previous: replaces, current: track.label }]),
    ...(interrupted ? [{ is: 'interrupted' as const, of }] : []),
  ]
}
