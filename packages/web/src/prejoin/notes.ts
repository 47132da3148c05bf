import type { InputState } from '../devices/input.ts'
import type { InputKind } from '../devices/port.ts'
import type { DeviceProblem } from '../devices/problem.ts'

/** A message about a device. */
export type Note =
  | { is: 'problem'; of: InputKind | 'both'; problem: DeviceProblem }
  | { is: 'replaced'; of: InputKind; previous: string; current: string }
  | { is: 'interrupted'; of: InputKind }

/** A problem of both devices is reported once. */
export function notesOf(camera: InputState, microphone: InputState): Note[] {
  if (camera.is === 'failed' && microphone.is === 'failed' && camera.problem === microphone.problem)
    return [{ is: 'problem', of: 'both', problem: camera.problem }]
  return [...notesOfOne('microphone', microphone), ...notesOfOne('camera', camera)]
}

function notesOfOne(kind: InputKind, state: InputState): Note[] {
  if (state.is === 'failed') return [{ is: 'problem', of: kind, problem: state.problem }]
  if (state.is !== 'on') return []
  const { replaces, label, interrupted } = state
  return [
    ...(replaces === null ? [] : [{ is: 'replaced' as const, of: kind, previous: replaces, current: label }]),
    ...(interrupted ? [{ is: 'interrupted' as const, of: kind }] : []),
  ]
}
