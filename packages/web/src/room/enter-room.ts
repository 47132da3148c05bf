import { createCall } from '../call/create-call.ts'
import { observeNetwork } from '../call/observe-network.ts'
import type { PreparedConnection } from '../call/prepared-connection.ts'
import type { Devices } from '../devices/devices.ts'
import type { Identity } from '../identity/identity.ts'
import type { Invitation } from '../link/invitation.ts'
import { playChime } from './alerts/chime.ts'
import { invitationUrlOf } from './invitation-url.ts'
import { browserPip } from './pip/browser-pip.ts'
import { Room, type RoomOptions } from './room.ts'
import { layoutUnit } from './stage/layout/layout-unit.ts'

export interface EnterOptions {
  invitation: Invitation
  displayName: string
  identity: Identity
  devices: Devices
  /** The preparation for the same identity. */
  prepared?: PreparedConnection | undefined
  /** Who was removed asks to be let in again. */
  asks?: boolean
}

interface BrowserEnterOptions extends EnterOptions {
  /** The signed-in account; absent for guests and people with a signed link. */
  userId?: number
  /** The conversation of the account that the chat of the room is. */
  conversation?: string
  /** Token of a signed link, for every connection of the call. */
  joinToken: string | null
  preferences: RoomOptions['preferences']
}

/** Creates the call and its room. The call ends when the user leaves or the page is unloaded. */
export function enterRoom({
  invitation,
  displayName,
  identity,
  devices,
  prepared,
  asks = false,
  userId,
  conversation,
  joinToken,
  preferences,
}: BrowserEnterOptions): Room {
  const { tag, title, endsAt, isPartnerRoom, isCall, features, transcriptionLanguages, look } = invitation
  const call = createCall({
    tag,
    displayName,
    prepared,
    asks,
    accessToken: identity.accessToken,
    ...(joinToken !== null && { joinToken }),
    ...(userId !== undefined && { userId }),
    ...(conversation !== undefined && { conversation }),
    microphone: devices.microphone,
    camera: devices.camera,
  })
  const about = { title, endsAt, isPartnerRoom, isCall, features, transcriptionLanguages, look }
  const room = new Room({
    call,
    devices,
    ...about,
    language: document.documentElement.lang,
    page: document,
    pip: browserPip(),
    chime: name => void playChime(name, devices.speaker.get().id),
    invitationUrl: invitationUrlOf(invitation, location.origin),
    preferences,
  })
  const unwatch = observeNetwork(call)
  const unload = new AbortController()
  // The server handles leaving at once; otherwise it would wait for a reconnect.
  window.addEventListener('pagehide', room.leave, { signal: unload.signal })
  call.subscribe(() => {
    const state = call.get()
    if (state.is !== 'ended') return
    unwatch()
    unload.abort()
    if (state.reason === 'account_deleted') identity.discard()
  })
  room.open()
  // Until the stage is laid out: what the others send is received in about the right size from the beginning.
  // After the join is sent, as measuring waits for the page's styles.
  room.stage.setSize({ width: innerWidth, height: innerHeight }, devicePixelRatio, layoutUnit())
  return room
}
