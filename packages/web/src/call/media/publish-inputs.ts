import type { Lifetime } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { LocalInput } from '../ports.ts'
import type { DesiredTrack } from './publisher.ts'

interface TrackSink {
  setDesired(desired: DesiredTrack): void
}

/**
 * Turning the microphone off pauses its publication, so that it can resume at once. The input has muted the track
 * before this is called: nothing is sent while the page shows it as off.
 */
export function publishMicrophone(input: LocalInput, publisher: TrackSink, lifetime: Lifetime): void {
  let track: MediaStreamTrack | null = null
  observeInput(input, lifetime, () => {
    const state = input.get()
    // While another device is being opened, the publication stays as it is.
    if (state.is === 'requesting') return
    if (state.is === 'on') track = state.track
    if (state.is === 'failed') track = null
    publisher.setDesired(track && { track, paused: state.is === 'off' })
  })
}

/**
 * Turning the camera off ends its publication: the device is released. While `isHeld`, the publication is paused, as the
 * connection carries no more than audio and the screen.
 */
export function publishCamera(
  input: LocalInput,
  publisher: TrackSink,
  { isHeld, isScalable }: Record<'isHeld' | 'isScalable', Readable<boolean>>,
  lifetime: Lifetime,
): void {
  const update = () => {
    const state = input.get()
    if (state.is === 'requesting') return
    const how = { paused: isHeld.get(), isScalable: isScalable.get() }
    publisher.setDesired(state.is === 'on' ? { track: state.track, ...how } : null)
  }
  observeInput(input, lifetime, update)
  for (const each of [isHeld, isScalable]) lifetime.defer(each.subscribe(update))
}

function observeInput(input: LocalInput, lifetime: Lifetime, update: () => void): void {
  update()
  lifetime.defer(input.subscribe(update))
}
