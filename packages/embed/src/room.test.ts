import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LecternCommandError, LecternRoom } from './room.ts'

const ORIGIN = 'https://meet.example.org'

/** A window with frames, as far as the room uses it. */
class FakeFrame {
  allow = ''
  title = ''
  referrerPolicy = ''
  src = ''
  readonly posted: [message: unknown, origin: string][] = []
  readonly contentWindow = {
    postMessage: (message: unknown, origin: string) => this.posted.push([message, origin]),
  }
  isRemoved = false
  remove = () => {
    this.isRemoved = true
  }
}

let host: EventTarget
let frame: FakeFrame
let room: LecternRoom
beforeEach(() => {
  vi.useFakeTimers()
  host = new EventTarget()
  vi.stubGlobal('window', host)
  frame = new FakeFrame()
  const container = { ownerDocument: { createElement: () => frame }, append: () => {} }
  room = new LecternRoom({ link: `${ORIGIN}/j/secret`, container: container as unknown as Element })
})
afterEach(() => {
  room.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function receive(data: unknown, { origin = ORIGIN, source = frame.contentWindow as unknown } = {}): void {
  host.dispatchEvent(Object.assign(new Event('message'), { data, origin, source }))
}
const ready = { lectern: 1, type: 'ready' }
const joined = { name: 'joined', participants: 1, recording: false, microphone: true, camera: true }

describe('a room in a frame', () => {
  it('shows the link, with the permissions that a call needs', () => {
    expect(frame).toMatchObject({
      src: `${ORIGIN}/j/secret`,
      title: 'Video room',
      referrerPolicy: 'no-referrer',
    })
    expect(frame.allow).toContain('microphone')
  })

  it('does not open links that are no http(s) URLs', () => {
    const container = { ownerDocument: { createElement: () => new FakeFrame() }, append: () => {} }
    for (const link of ['', 'javascript:alert(1)', 'data:text/html,x', '/j/token'])
      expect(() => new LecternRoom({ link, container: container as unknown as Element })).toThrow(TypeError)
  })

  it('connects when the frame is ready, and sends to its origin only (EMBED-3)', () => {
    room.setMicrophone(false).catch(() => {}) // closed after the test
    expect(frame.posted).toEqual([])
    receive(ready)
    expect(frame.posted).toEqual([
      [{ lectern: 1, type: 'connect' }, ORIGIN],
      [{ lectern: 1, type: 'command', id: 1, command: { name: 'set_microphone', on: false } }, ORIGIN],
    ])
  })

  it('reports a frame that shows no page, which may refuse to be in one, and works if it loads later', async () => {
    const events: unknown[] = []
    room.on('error', event => events.push(event))
    const waiting = room.leave()
    vi.advanceTimersByTime(8_999)
    expect(events).toEqual([])
    vi.advanceTimersByTime(1)
    expect(events).toEqual([{ name: 'error', code: 'unreachable' }])
    for (const command of [waiting, room.openChat()])
      await expect(command).rejects.toMatchObject({ code: 'closed' })
    receive(ready)
    expect(frame.posted).toEqual([[{ lectern: 1, type: 'connect' }, ORIGIN]])
    room.openChat().catch(() => {}) // closed after the test
    expect(frame.posted).toHaveLength(2)
  })

  it.each([
    ['ready', () => receive(ready)],
    ['closed', () => room.close()],
  ])('reports nothing once %s', (_, act) => {
    const events: unknown[] = []
    room.on('error', event => events.push(event))
    act()
    vi.advanceTimersByTime(60_000)
    expect(events).toEqual([])
  })

  it('emits the events of the frame', () => {
    const events: unknown[] = []
    const stop = room.on('joined', event => events.push(event))
    receive({ lectern: 1, type: 'event', event: joined })
    stop()
    receive({ lectern: 1, type: 'event', event: joined })
    expect(events).toEqual([joined])
  })

  it('ignores other origins, other windows and malformed messages (EMBED-3, EMBED-5)', () => {
    const events: unknown[] = []
    room.on('joined', event => events.push(event))
    const event = { lectern: 1, type: 'event', event: joined }
    receive(event, { origin: 'https://evil.example.org' })
    receive(event, { origin: 'null' })
    receive(event, { source: host })
    receive(event, { source: null })
    receive({ ...event, lectern: 2 })
    receive('joined')
    receive(ready, { origin: 'https://evil.example.org' })
    expect(events).toEqual([])
    expect(frame.posted).toEqual([])
  })

  it('settles commands with their results', async () => {
    receive(ready)
    const leaving = room.leave()
    const command = room.setCamera(true)
    receive({ lectern: 1, type: 'result', id: 2, error: 'declined' })
    receive({ lectern: 1, type: 'result', id: 1, error: null })
    receive({ lectern: 1, type: 'result', id: 99, error: null })
    await leaving
    await expect(command).rejects.toEqual(new LecternCommandError('declined'))
  })

  it('refuses too many commands, and all of them after it was closed', async () => {
    const many = Array.from({ length: 32 }, () => room.openChat())
    await expect(room.openChat()).rejects.toMatchObject({ code: 'busy' })
    room.close()
    for (const each of many) await expect(each).rejects.toMatchObject({ code: 'closed' })
    await expect(room.openChat()).rejects.toMatchObject({ code: 'closed' })
    expect(frame.isRemoved).toBe(true)
  })

  it('drops commands of a page that the frame has left', async () => {
    receive(ready)
    const command = room.setMicrophone(true)
    receive(ready)
    await expect(command).rejects.toMatchObject({ code: 'closed' })
  })

  it('gives a page that loads late or again the last theme and language, and nothing else', async () => {
    const commands = () =>
      frame.posted.splice(0).flatMap(([message]) => (message as { command?: object }).command ?? [])
    const early = [room.setTheme('light'), room.setTheme('dark'), room.setLanguage('ru'), room.leave()]
    vi.advanceTimersByTime(9_000)
    for (const each of early) await expect(each).rejects.toMatchObject({ code: 'closed' })
    const settings = [
      { name: 'set_theme', theme: 'dark' },
      { name: 'set_language', language: 'ru' },
    ]
    for (const _ of ['late', 'again']) {
      receive(ready)
      expect(commands()).toEqual(settings)
    }
    receive({ lectern: 1, type: 'result', id: 5, error: 'unknown_language' }) // nobody waits for it
  })
})
