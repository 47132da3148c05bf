import { Lifetime } from '@lectern/common'
import type { Command, CommandError, RoomEvent } from '@lectern/embed/messages'
import { beforeEach, describe, expect, it } from 'vitest'
import { HostChannel } from './host-channel.ts'

const PORTAL = 'https://portal.example'
const JOINED: RoomEvent = {
  name: 'joined',
  participants: 1,
  recording: false,
  microphone: true,
  camera: true,
}

let posted: [message: unknown, origin: string][]
let executed: [command: Command, origin: string][]
let frame: EventTarget
let now: number
let lifetime: Lifetime
let answer: (command: Command) => Promise<CommandError | null>
const host = { postMessage: (message: unknown, origin: string) => void posted.push([message, origin]) }

function open() {
  const channel = new HostChannel(
    {
      host,
      frame: frame as unknown as Window,
      isAllowed: origin => origin === PORTAL,
      onConnect: () => [JOINED],
      execute: (command, origin) => {
        executed.push([command, origin])
        return answer(command)
      },
      now: () => now,
    },
    lifetime,
  )
  posted = []
  return channel
}

beforeEach(() => {
  posted = []
  executed = []
  frame = new EventTarget()
  now = 0
  lifetime = new Lifetime()
  answer = async () => null
})

function receive(data: unknown, origin = PORTAL, source: unknown = host): void {
  frame.dispatchEvent(Object.assign(new Event('message'), { data, origin, source }))
}
const connect = { lectern: 1, type: 'connect' }
const command = (id: number, content: object = { name: 'leave' }) => ({
  lectern: 1,
  type: 'command',
  id,
  command: content,
})
const settled = () => new Promise(resolve => setTimeout(resolve))

describe('the channel to the embedding page', () => {
  it('announces that it is ready, and sends nothing else before a page has connected', () => {
    const sent: unknown[] = []
    new HostChannel(
      {
        host: { postMessage: (...args) => void sent.push(args) },
        frame: frame as unknown as Window,
        isAllowed: () => true,
        onConnect: () => [JOINED],
        execute: async () => null,
      },
      lifetime,
    ).send(JOINED)
    expect(sent).toEqual([[{ lectern: 1, type: 'ready' }, '*']])
  })

  it('sends a page that connects the current state, and then each event', () => {
    const channel = open()
    receive(connect)
    channel.send({ name: 'participants', participants: 2 })
    expect(posted).toEqual([
      [{ lectern: 1, type: 'event', event: JOINED }, PORTAL],
      [{ lectern: 1, type: 'event', event: { name: 'participants', participants: 2 } }, PORTAL],
    ])
  })

  it('ignores pages of other origins, other windows, and commands before the connection (EMBED-2)', async () => {
    open()
    receive(connect, 'https://evil.example')
    receive(connect, 'null')
    receive(connect, PORTAL, {})
    receive(command(1))
    await settled()
    expect([posted, executed]).toEqual([[], []])
    receive(connect)
    receive(command(2), 'https://evil.example')
    receive(command(3), PORTAL, frame)
    await settled()
    expect(executed).toEqual([])
  })

  it('executes commands and answers each', async () => {
    open()
    answer = async ({ name }) => (name === 'open_chat' ? 'unavailable' : null)
    receive(connect)
    receive(command(1))
    receive(command(2, { name: 'open_chat' }))
    await settled()
    expect(executed).toEqual([
      [{ name: 'leave' }, PORTAL],
      [{ name: 'open_chat' }, PORTAL],
    ])
    expect(posted.slice(1).map(([message]) => message)).toEqual([
      { lectern: 1, type: 'result', id: 1, error: null },
      { lectern: 1, type: 'result', id: 2, error: 'unavailable' },
    ])
  })

  it('drops malformed messages, refuses the commands of a flood, and continues after it (EMBED-5)', async () => {
    open()
    receive(connect)
    for (const noise of [null, 'leave', { lectern: 1 }, command(0), command(1, { name: 'unmute' })])
      receive(noise)
    expect(executed).toEqual([])
    for (let id = 1; id <= 1000; id++) receive(command(id))
    await settled()
    expect(executed).toHaveLength(34) // of 40 messages, one connected and five were malformed
    const answers = () => posted.slice(1).map(([message]) => (message as { error: unknown }).error)
    expect(answers().filter(error => error === 'busy')).toHaveLength(1000 - 34)
    now += 1000
    for (let id = 1; id <= 1000; id++) receive(command(id))
    await settled()
    expect([executed.length, answers().length]).toEqual([44, 2000])
    now += 1000
    for (let i = 0; i < 10; i++) receive(connect, 'https://evil.example')
    for (let i = 0; i < 20; i++) receive(connect)
    expect(posted.filter(([message]) => (message as { type: string }).type === 'event')).toHaveLength(11)
  })

  it('ends with its lifetime', () => {
    open()
    receive(connect)
    lifetime.close()
    receive(command(1))
    expect(executed).toEqual([])
  })
})
