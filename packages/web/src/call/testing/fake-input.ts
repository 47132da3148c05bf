import { Observable } from '@lectern/common'
import type { LocalInput } from '../ports.ts'
import { aTrack } from './transports.ts'

type State = ReturnType<LocalInput['get']>

/** A camera or microphone that the test controls. */
export class FakeInput extends Observable<State> implements LocalInput {
  constructor() {
    super({ is: 'off' })
  }

  turnOn({ track } = aTrack()): MediaStreamTrack {
    this.set({ is: 'on', track })
    return track
  }

  turnOff(): void {
    this.set({ is: 'off' })
  }

  startOpening(): void {
    this.set({ is: 'requesting' })
  }

  fail(): void {
    this.set({ is: 'failed' })
  }
}
