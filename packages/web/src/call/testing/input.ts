import { Observable } from '../../observable.ts'
import type { OwnInput } from '../ports.ts'
import { aTrack } from './peer.ts'

type State = ReturnType<OwnInput['get']>

/** A camera or microphone that a test turns on and off. */
export class FakeInput extends Observable<State> implements OwnInput {
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

  ask(): void {
    this.set({ is: 'asking' })
  }

  fail(): void {
    this.set({ is: 'failed' })
  }
}
