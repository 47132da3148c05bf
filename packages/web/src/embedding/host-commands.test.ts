import { WritableObservable } from '@lectern/common'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '../site/router.ts'
import { Consent } from './consent.ts'
import { HostCommands } from './host-commands.ts'

const PORTAL = 'https://portal.example:8443'

class FakeInput extends WritableObservable<{ is: 'on' | 'off' | 'failed' }> {
  /** Whether the browser or the system refuses the device. */
  fails = false
  turnOn = async () => this.set({ is: this.fails ? 'failed' : 'on' })
  turnOff = () => this.set({ is: 'off' })
}

let microphone: FakeInput
let camera: FakeInput
let consent: Consent
let call: WritableObservable<object>
let visit: WritableObservable<object>
let route: WritableObservable<object>
let chosen: unknown[]
let commands: HostCommands
const session = (permissions = {}) => ({
  chat_mode: 'open',
  permissions: { microphone: true, camera: true, screen: true, ...permissions },
  person_permissions: [],
})
const joined = (permissions = {}, role = 'participant') => ({
  is: 'joined',
  me: { role, user_id: '7' },
  session: session(permissions),
})

beforeEach(() => {
  chosen = []
  microphone = new FakeInput({ is: 'off' })
  camera = new FakeInput({ is: 'off' })
  consent = new Consent()
  call = new WritableObservable<object>(joined())
  let panel: string | null = null
  const room = {
    call,
    features: { chat: true },
    panels: { get: () => panel, toggle: (name: string) => (panel = panel === name ? null : name) },
    leave: () => call.set({ is: 'ended', reason: 'left' }),
  }
  visit = Object.assign(new WritableObservable<object>({ is: 'room', room }), {
    devices: { microphone, camera },
  })
  route = new WritableObservable<object>({ is: 'visit', visit })
  commands = new HostCommands({
    route: route as unknown as WritableObservable<Route>,
    theme: { choose: theme => void chosen.push(theme) },
    language: { choose: async (name, options) => void chosen.push([name, options]) },
    consent,
  })
})

const turnOn = () => commands.execute({ name: 'set_microphone', on: true }, PORTAL)
const panel = () => (visit.get() as { room: { panels: { get(): string | null } } }).room.panels.get()

describe('turning on a device', () => {
  it('requires the consent of the person (EMBED-1)', async () => {
    const asked = turnOn()
    expect(consent.get()).toEqual({ kind: 'microphone', host: 'portal.example:8443' })
    expect(microphone.get().is).toBe('off')
    consent.accept()
    expect(await asked).toBeNull()
    expect([microphone.get().is, camera.get().is]).toEqual(['on', 'off'])
  })

  it('does not happen when the person declines', async () => {
    const asked = turnOn()
    consent.decline()
    expect(await asked).toBe('declined')
    expect([microphone.get().is, consent.get()]).toEqual(['off', null])
  })

  it('shows one prompt at a time', async () => {
    const asked = turnOn()
    expect(await commands.execute({ name: 'set_camera', on: true }, PORTAL)).toBe('busy')
    consent.accept()
    expect(await asked).toBeNull()
    expect(camera.get().is).toBe('off')
  })

  it('is refused without a prompt if a moderator forbids it, or nobody is in the room', async () => {
    call.set(joined({ microphone: false }))
    expect(await turnOn()).toBe('not_permitted')
    call.set({ is: 'joining' })
    expect(await turnOn()).toBe('not_joined')
    visit.set({ is: 'prejoin' })
    expect(await turnOn()).toBe('not_joined')
    route.set({ is: 'not-found' })
    expect(await turnOn()).toBe('not_joined')
    expect(consent.get()).toBeNull()
  })

  it('is refused if it is forbidden while the prompt is shown', async () => {
    const asked = turnOn()
    call.set(joined({ microphone: false }))
    consent.accept()
    expect(await asked).toBe('not_permitted')
    expect(microphone.get().is).toBe('off')
  })

  it('reports that the browser refuses the device', async () => {
    microphone.fails = true
    const asked = turnOn()
    consent.accept()
    expect(await asked).toBe('not_permitted')
  })

  it('shows no prompt if the device is on', async () => {
    microphone.set({ is: 'on' })
    expect(await turnOn()).toBeNull()
    expect(consent.get()).toBeNull()
  })
})

describe('the other commands', () => {
  it('turn devices off at once, also before joining', async () => {
    microphone.set({ is: 'on' })
    camera.set({ is: 'on' })
    expect(await commands.execute({ name: 'set_microphone', on: false }, PORTAL)).toBeNull()
    visit.set({ is: 'prejoin' })
    expect(await commands.execute({ name: 'set_camera', on: false }, PORTAL)).toBeNull()
    expect([microphone.get().is, camera.get().is]).toEqual(['off', 'off'])
  })

  it('leave once', async () => {
    expect(await commands.execute({ name: 'leave' }, PORTAL)).toBeNull()
    expect(call.get()).toEqual({ is: 'ended', reason: 'left' })
    expect(await commands.execute({ name: 'leave' }, PORTAL)).toBe('not_joined')
  })

  it('open the chat where there is one, and never close it', async () => {
    for (let i = 0; i < 2; i++) expect(await commands.execute({ name: 'open_chat' }, PORTAL)).toBeNull()
    expect(panel()).toBe('chat')
    ;(visit.get() as { room: { features: { chat: boolean } } }).room.features.chat = false
    expect(await commands.execute({ name: 'open_chat' }, PORTAL)).toBe('unavailable')
  })

  it('choose a theme and a language of this page, which is not the choice of the person', async () => {
    expect(await commands.execute({ name: 'set_theme', theme: 'dark' }, PORTAL)).toBeNull()
    expect(await commands.execute({ name: 'set_language', language: 'ru' }, PORTAL)).toBeNull()
    expect(await commands.execute({ name: 'set_language', language: 'toString' }, PORTAL)).toBe(
      'unknown_language',
    )
    expect(chosen).toEqual(['dark', ['ru', { isOwnChoice: false }]])
  })
})
