import type { PublisherState } from '../../call/media/publisher.ts'
import type { InputState } from '../../devices/input.ts'

/** What has become of a source that one may want to send. */
export type InputStatus =
  | 'off'
  | 'asking' // the browser opens the device
  | 'coming' // on, and not with the others yet
  | 'on' // the others get it
  | 'trouble' // on, but it does not get to the others
  | 'failed' // the device does not work

/** Never more than is true: "on" is what the server has confirmed. */
export function inputStatusOf({ is }: InputState, outgoing: PublisherState, flows: boolean): InputStatus {
  if (is !== 'on') return is
  switch (outgoing) {
    case 'sending':
      return flows ? 'on' : 'trouble'
    case 'trouble':
      return 'trouble'
    default:
      return 'coming'
  }
}
