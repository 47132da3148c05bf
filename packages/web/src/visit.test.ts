import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Api } from './api/api.ts'
import type { PreparedConnection } from './call/prepared-connection.ts'
import { Devices } from './devices/devices.ts'
import { FakeDevices } from './devices/testing.ts'
import { Account } from './identity/account.ts'
import type { Identity } from './identity/identity.ts'
import { LinkIdentity } from './identity/link-identity.ts'
import { createRunExclusive } from './identity/run-exclusive.ts'
import { StoredSignIn } from './identity/stored-sign-in.ts'
import { Link } from './link/link.ts'
import type { Resolution } from './link/resolve.ts'
import { anInvitation } from './link/testing.ts'
import type { EnterOptions } from './room/enter-room.ts'
import { createTestRoom } from './room/testing.ts'
import { RoomTab } from './room-tab.ts'
import { CurrentRoom } from './site/current-room.ts'
import { StoredValue } from './stored-value.ts'
import { makeStorage } from './testing.ts'
import { Visit } from './visit.ts'

const invitation = anInvitation()
const open: Resolution = { is: 'open', invitation }
const closed: Resolution = { is: 'refused', reason: 'room_closed', code: 'room_closed' }

const RoomPage = () => null
const storage = makeStorage()
beforeEach(() => storage.clear())

const signInParts = () => ({
  api: new Api(),
  storage: new StoredValue('account', () => storage),
  runExclusive: createRunExclusive('account', undefined),
})

/** Signs in as another tab would. */
const signIn = (userId: number, displayName: string) =>
  new StoredSignIn(signInParts()).save({
    userId,
    displayName,
    login: displayName.toLowerCase(),
    accessToken: 'a',
    refreshToken: 'r',
    expiresAt: Date.now() + 900_000,
  })

const aConnection = (identity: Identity | null) => ({ identity, close: vi.fn() })

async function visitTo(...resolutions: Resolution[]) {
  return visitIn(new RoomTab(), ...resolutions)
}

async function visitIn(tab: RoomTab, ...resolutions: Resolution[]) {
  const port = new FakeDevices('camera one', 'microphone one')
  const devices = new Devices(
    port,
    () => () => {},
    () => storage,
  )
  const link = new Link(async () => resolutions.shift() ?? open)
  const name = new StoredValue('name', () => storage)
  const rejoinState = new StoredValue('stay', () => storage)
  const entered: EnterOptions[] = []
  const code = { loads: true }
  const loadRoom = async () => {
    if (!code.loads) throw new TypeError('gone')
    return {
      enter: (entering: EnterOptions) => {
        entered.push(entering)
        return createTestRoom({ devices: entering.devices }).room
      },
      RoomPage,
    }
  }
  const account = new Account(signInParts())
  const logins = new Map<Identity, string | undefined>()
  const currentRoom = new CurrentRoom()
  const ends: object[] = []
  const prepared: ReturnType<typeof aConnection>[] = []
  /** The signals of the preparations. */
  const signals: AbortSignal[] = []
  currentRoom.onEnd(end => ends.push(end))
  const visit = new Visit({
    link,
    devices,
    account,
    name,
    rejoinState,
    tab,
    currentRoom,
    identify: (_, user) => {
      const identity = new LinkIdentity(new Api(), 'secret')
      logins.set(identity, user?.login)
      return identity
    },
    loadRoom,
    prepare: async (_, identity, signal) => {
      signals.push(signal)
      const connection = aConnection(identity)
      prepared.push(connection)
      return connection as unknown as PreparedConnection
    },
  })
  await link.open()
  /** Logins of those who have joined. */
  const users = () => entered.map(({ identity }) => logins.get(identity))
  const inUse = (labels: string[]) => expect.poll(() => port.live).toEqual(labels)
  /** Joins and waits for the room's code. */
  const join = async (...args: Parameters<Visit['join']>) => {
    visit.join(...args)
    await expect.poll(() => visit.get().is).toBe('room')
  }
  return {
    visit,
    link,
    devices,
    account,
    inUse,
    entered,
    users,
    join,
    code,
    currentRoom,
    ends,
    prepared,
    signals,
  }
}

const BOTH = ['camera one', 'microphone one']

describe('Visit', () => {
  it('opens the devices for an open link, and releases them when it is closed', async () => {
    const { link, inUse } = await visitTo(open, closed)
    await inUse(BOTH)
    await link.refresh()
    await inUse([])
  })

  it('opens no device for a refused link', async () => {
    const { inUse } = await visitTo(closed)
    await inUse([])
  })

  it('passes the devices and the name on to the room', async () => {
    const { visit, link, devices, inUse, entered, join } = await visitTo(open, closed)
    await inUse(BOTH)
    devices.camera.turnOff()
    await join(invitation, 'Sam')
    await link.refresh()
    await inUse(['microphone one'])
    expect(entered).toMatchObject([{ displayName: 'Sam', identity: { displayName: 'Sam' } }])
    visit.leave()
    await inUse([])
  })

  it('releases the devices after a call, and opens them again for the next', async () => {
    const { visit, devices, inUse, join } = await visitTo(open)
    await inUse(BOTH)
    await join(invitation, 'Sam')
    devices.close()
    await inUse([])
    visit.leave()
    await inUse(BOTH)
  })

  it('rejoins after the call with the same name and devices, without the prejoin screen', async () => {
    const { visit, devices, inUse, entered, join } = await visitTo(open)
    await inUse(BOTH)
    await join(invitation, 'Sam')
    devices.camera.turnOff()
    const state = visit.get()
    if (state.is === 'room') state.room.leave()
    await inUse([])
    visit.rejoin()
    expect(visit.get().is).toBe('loading')
    await expect.poll(() => visit.get().is).toBe('room')
    await inUse(['microphone one'])
    expect(entered.map(({ displayName }) => displayName)).toEqual(['Sam', 'Sam'])
    visit.leave()
    await inUse(BOTH)
  })

  it('suggests the name of the link, else the one that was typed last', async () => {
    const { visit, join } = await visitTo(open)
    const named = anInvitation({ invitee: { role: 'student', name: 'Mia', personal: false } })
    await join(named, 'Mimi')
    expect([visit.nameFor(named), visit.nameFor(invitation)]).toEqual(['Mia', ''])
    visit.leave()
    await join(invitation, 'Sam')
    const { visit: later } = await visitTo(open)
    expect([later.nameFor(named), later.nameFor(invitation)]).toEqual(['Mia', 'Sam'])
  })

  it('continues to open devices after the join', async () => {
    const { visit, devices, inUse } = await visitTo(open)
    expect([devices.camera.get().is, devices.microphone.get().is]).toEqual(['requesting', 'requesting'])
    visit.join(invitation, 'Sam')
    await inUse(BOTH)
  })

  it('rejoins after a reload, with the same name and devices', async () => {
    const { visit, devices, inUse, join } = await visitTo(open)
    await inUse(BOTH)
    await join(invitation, 'Sam')
    devices.camera.turnOff()
    visit.handlePageHide()
    visit.leave()
    const later = await visitTo(open)
    await expect.poll(() => later.visit.get().is).toBe('room')
    await later.inUse(['microphone one'])
    expect(later.entered).toMatchObject([{ displayName: 'Sam' }])
  })

  it('does not rejoin after leaving, after the end, or in another room', async () => {
    const first = await visitTo(open)
    await first.join(invitation, 'Sam')
    first.visit.leave()
    expect((await visitTo(open)).visit.get().is).toBe('prejoin')

    const second = await visitTo(open)
    await second.join(invitation, 'Sam')
    second.visit.handlePageHide()
    const elsewhere: Resolution = { is: 'open', invitation: anInvitation({ tag: 'dddd-eeeee-ffff' }) }
    expect((await visitTo(elsewhere)).visit.get().is).toBe('prejoin')
    expect((await visitTo(closed)).visit.get().is).toBe('prejoin')
  })

  it('joins as the signed-in user through the plain link only', async () => {
    signIn(7, 'Anna')
    const { visit, users, join } = await visitTo(open)
    expect(visit.nameFor(invitation)).toBe('Anna')
    await join(invitation, 'Anna')
    visit.leave()
    await join(anInvitation({ invitee: { role: 'student', name: '', personal: false } }), 'Mia')
    visit.leave()
    new StoredSignIn(signInParts()).discard()
    visit.account.syncFromStorage()
    await join(invitation, 'Sam')
    expect(users()).toEqual(['anna', undefined, undefined])
    expect(visit.nameFor(invitation)).toBe('Sam')
  })

  it('rejoins only as the same user', async () => {
    signIn(7, 'Anna')
    const { visit, join } = await visitTo(open)
    await join(invitation, 'Anna')
    visit.handlePageHide()
    visit.leave()
    signIn(8, 'Ben')
    expect((await visitTo(open)).visit.get().is).toBe('prejoin')
    signIn(7, 'Anna')
    const again = await visitTo(open)
    await expect.poll(() => again.visit.get().is).toBe('room')
  })

  it('leaves the room and releases the devices when another page is shown', async () => {
    const { visit, link, inUse, join } = await visitTo(open, open)
    await inUse(BOTH)
    await join(invitation, 'Sam')
    const state = visit.get()
    visit.close()
    await inUse([])
    expect(state.is === 'room' && state.room.call.get()).toEqual({ is: 'ended', reason: 'left' })
    await link.refresh()
    await inUse([])
    expect((await visitTo(open)).visit.get().is).toBe('prejoin')
  })

  it('asks in a copy of its tab, which says that the room is open in another one', async () => {
    const first = await visitTo(open)
    await first.join(invitation, 'Sam')
    const held = [{ name: `lectern.room.${invitation.tag}.${'0'.repeat(32)}` }]
    const locks = {
      request: () => Promise.reject(new DOMException('held by the other tab', 'TimeoutError')),
      query: async () => ({ held }),
    } as unknown as LockManager
    const copy = await visitIn(new RoomTab(locks), open, { ...open })
    expect(copy.visit.get().is).toBe('loading')
    await expect.poll(() => copy.visit.get()).toEqual({ is: 'prejoin', isElsewhere: true })
    expect(copy.entered).toEqual([])
    held.pop()
    await copy.link.refresh()
    await expect.poll(() => copy.visit.get()).toEqual({ is: 'prejoin', isElsewhere: false })
  })

  it('reports the conference of the page and how it ended, but not when the page is reloaded', async () => {
    const stays = await visitTo(open, open)
    await stays.join(invitation, 'Sam')
    expect(stays.currentRoom.get()).toEqual({ tag: invitation.tag })
    stays.visit.leave()
    expect([stays.currentRoom.get(), stays.ends]).toEqual([
      null,
      [{ tag: invitation.tag, isOwnChoice: true, isPageKept: true }],
    ])
    const goes = await visitTo(open, open)
    await goes.join(invitation, 'Sam')
    goes.visit.close()
    expect(goes.ends).toMatchObject([{ isOwnChoice: true, isPageKept: false }])
    const reloads = await visitTo(open, open)
    await reloads.join(invitation, 'Sam')
    reloads.visit.handlePageHide()
    const state = reloads.visit.get()
    if (state.is === 'room') state.room.leave()
    expect([reloads.currentRoom.get(), reloads.ends]).toEqual([{ tag: invitation.tag }, []])
  })

  it("reports that the room's code does not load, and joins after a reload", async () => {
    const { visit, code, inUse } = await visitTo(open)
    await inUse(BOTH)
    code.loads = false
    visit.join(invitation, 'Sam')
    expect(visit.get()).toEqual({ is: 'loading' })
    await expect.poll(() => visit.get()).toEqual({ is: 'failed' })
    visit.handlePageHide()
    const later = await visitTo(open)
    await expect.poll(() => later.visit.get().is).toBe('room')
  })

  it('does not join when the user goes back while the code is loading', async () => {
    const { visit, inUse, entered } = await visitTo(open)
    await inUse(BOTH)
    visit.join(invitation, 'Sam')
    visit.leave()
    await new Promise(setImmediate)
    expect([visit.get(), entered]).toEqual([{ is: 'prejoin' }, []])
    await inUse(BOTH)
    expect((await visitTo(open)).visit.get().is).toBe('prejoin')
  })

  it('prepares nothing more when the join has begun', async () => {
    const named = anInvitation({ invitee: { role: 'student', name: 'Mia', personal: true } })
    const { visit, join, signals } = await visitTo({ is: 'open', invitation: named })
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await join(named, 'Mia')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    visit.close()
  })

  it('prepares the connection of a known person, for the first and for later joins', async () => {
    const named = anInvitation({ invitee: { role: 'student', name: 'Mia', personal: true } })
    const { visit, entered, join, prepared } = await visitTo({ is: 'open', invitation: named })
    await join(named, 'Mia')
    expect(prepared[0]?.identity).toBeInstanceOf(LinkIdentity)
    expect(entered).toMatchObject([{ identity: prepared[0]?.identity, prepared: prepared[0] }])
    visit.leave()
    await new Promise(setImmediate)
    await join(named, 'Mia')
    expect(entered[1]).toMatchObject({ identity: prepared[1]?.identity, prepared: prepared[1] })
    expect(prepared.map(({ close }) => close.mock.calls.length)).toEqual([0, 0])
  })

  it('signs in a guest whose name is in the link when the button is approached, and nobody without a name', async () => {
    const { visit, prepared } = await visitTo(open)
    visit.anticipateJoin(invitation)
    expect(prepared).toMatchObject([{ identity: null }])

    const named = anInvitation({ invitee: { role: 'student', name: 'Mia', personal: false } })
    const guest = await visitTo({ is: 'open', invitation: named })
    expect(guest.prepared).toMatchObject([{ identity: null }])
    guest.visit.anticipateJoin(named)
    guest.visit.anticipateJoin(named)
    expect(guest.prepared).toMatchObject([{ identity: null }, { identity: { displayName: 'Mia' } }])
    await new Promise(setImmediate)
    await guest.join(named, 'Mia')
    expect(guest.entered).toMatchObject([{ prepared: guest.prepared[1] }])
  })

  it('closes what it prepared when another user joins, the link is closed, or the page', async () => {
    const closes = await visitTo(open, closed)
    await closes.link.refresh()
    const goes = await visitTo(open)
    goes.visit.close()
    signIn(7, 'Anna')
    const other = await visitTo(open)
    signIn(8, 'Ben')
    other.visit.account.syncFromStorage()
    await other.join(invitation, 'Ben')
    for (const { prepared } of [other, closes, goes])
      await expect.poll(() => prepared.map(({ close }) => close.mock.calls.length)).toEqual([1])
    expect(other.entered).toMatchObject([{ identity: { displayName: 'Ben' }, prepared: undefined }])
  })
})
