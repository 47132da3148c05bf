import { createCall } from '../call/create-call.ts'
import { observeNetwork } from '../call/observe-network.ts'
import type { Devices } from '../devices/devices.ts'
import type { Identity } from '../identity/identity.ts'
import type { Invitation } from '../link/invitation.ts'
import { Room, type RoomOptions } from './room.ts'

export interface EnterOptions {
  invitation: Invitation
  displayName: string
  identity: Identity
  devices: Devices
}

interface BrowserEnterOptions extends EnterOptions {
  /** Of a signed link, for every connection that the call makes. */
  joinToken: string | null
  preferences: RoomOptions['preferences']
}

/** One entry: a call of its own, that ends when the visitor leaves, or the page does. */
export function enterRoom({
  invitation,
  displayName,
  identity,
  devices,
  joinToken,
  preferences,
}: BrowserEnterOptions): Room {
  const { tag, title, isPartnerRoom, features } = invitation
  const call = createCall({
    tag,
    displayName,
    accessToken: identity.accessToken,
    ...(joinToken !== null && { joinToken }),
    microphone: devices.microphone,
    camera: devices.camera,
    version: __VERSION__, // for the log of the server
  })
  const room = new Room({ call, devices, title, isPartnerRoom, features, page: document, preferences })
  const unwatch = observeNetwork(call)
  const unload = new AbortController()
  // The server takes the goodbye at once; without it, it would wait for this page to come back.
  window.addEventListener('pagehide', room.leave, { signal: unload.signal })
  call.subscribe(() => {
    const state = call.get()
    if (state.is !== 'ended') return
    unwatch()
    unload.abort()
    if (state.reason === 'account_deleted') identity.forget()
  })
  room.open()
  return room
}
