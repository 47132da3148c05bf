import type { Lifetime } from '../lifetime.ts'
import type { OwnInput } from '../ports.ts'
import type { Wanted } from './outgoing.ts'

interface Publisher {
  want(wanted: Wanted): void
}

/**
 * Off is a pause: the microphone is back at once. The input has silenced the track before anybody hears of it
 * here, so nothing is ever sent while the page says that it is off.
 */
export function followMicrophone(input: OwnInput, publisher: Publisher, life: Lifetime): void {
  let track: MediaStreamTrack | null = null
  follow(input, life, () => {
    const state = input.get()
    // While another device is opened everything stays as it is.
    if (state.is === 'asking') return
    if (state.is === 'on') track = state.track
    if (state.is === 'failed') track = null
    publisher.want(track && { track, paused: state.is === 'off' })
  })
}

/** Off is an end: nothing films, and there is nothing to send. */
export function followCamera(input: OwnInput, publisher: Publisher, life: Lifetime): void {
  follow(input, life, () => {
    const state = input.get()
    if (state.is !== 'asking')
      publisher.want(state.is === 'on' ? { track: state.track, paused: false } : null)
  })
}

function follow(input: OwnInput, life: Lifetime, look: () => void): void {
  look()
  life.own(input.subscribe(look))
}
