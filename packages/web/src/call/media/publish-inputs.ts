import type { Lifetime } from '@lectern/common'
import type { LocalInput } from '../ports.ts'
import type { DesiredTrack } from './publisher.ts'

interface TrackSink {
  setDesired(wanted: DesiredTrack): void
}

/**
 * Off is a pause: the microphone is back at once. The input has silenced the track before anybody hears of it
 * here, so nothing is ever sent while the page says that it is off.
 */
export function publishMicrophone(input: LocalInput, publisher: TrackSink, lifetime: Lifetime): void {
  let track: MediaStreamTrack | null = null
  observeInput(input, lifetime, () => {
    const state = input.get()
    // While another device is opened everything stays as it is.
    if (state.is === 'asking') return
    if (state.is === 'on') track = state.track
    if (state.is === 'failed') track = null
    publisher.setDesired(track && { track, paused: state.is === 'off' })
  })
}

/** Off is an end: nothing films, and there is nothing to send. */
export function publishCamera(input: LocalInput, publisher: TrackSink, lifetime: Lifetime): void {
  observeInput(input, lifetime, () => {
    const state = input.get()
    if (state.is !== 'asking')
      publisher.setDesired(state.is === 'on' ? { track: state.track, paused: false } : null)
  })
}

function observeInput(input: LocalInput, lifetime: Lifetime, look: () => void): void {
  look()
  lifetime.defer(input.subscribe(look))
}
