import type { PublisherState } from '../../call/media/publisher.ts'
import type { InputState } from '../../devices/input.ts'

/** Whether the others receive a camera or microphone. */
export type InputStatus =
  | 'off'
  | 'requesting' // the device is being opened
  | 'coming' // on, but not received by the others yet
  | 'on' // received by the others
  | 'problem' // on, but not received by the others
  | 'failed' // the device does not work

/** "on" means that the server has confirmed it. */
export function inputStatusOf(
  { is }: InputState,
  publisher: PublisherState,
  isTransportUp: boolean,
): InputStatus {
  if (is !== 'on') return is
  switch (publisher) {
    case 'sending':
      return isTransportUp ? 'on' : 'problem'
    case 'problem':
      return 'problem'
    default:
      return 'coming'
  }
}
