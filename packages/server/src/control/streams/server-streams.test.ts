import type { AccountState, Contact } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import type { User } from '../../accounts/ports.ts'
import { lossless } from '../../compose/cluster/single-server.ts'
import { createLog } from '../../platform/log.ts'
import type { AccountEvent, AccountNotice, AccountStateSource } from './account-state.ts'
import { InMemoryEventBus } from './event-bus.ts'
import { ServerStreams } from './server-streams.ts'
import type { PublishedEvent, Stream, Subscriber } from './stream.ts'
import { SESSION_WINDOW } from './stream.ts'
import type { EventDelivery } from './verification.ts'

function setUp({
  incarnation = 1,
  nowMs = 1_700_000_000_000,
  bus = new InMemoryEventBus<AccountNotice>(),
  delivery = lossless as EventDelivery,
} = {}) {
  let encodings = 0
  const streams = new ServerStreams({
    delivery,
    bus,
    encoder: {
      event: (_, { seq, name }) => {
        encodings += 1
        return `${seq} ${name}`
      },
      signal: (_, { seq, name }) => `${seq} ${name}`,
    },
    sessions: { incarnation: id => (id === 1 ? incarnation : null), state: () => ({}) },
    clock: () => nowMs,
    log: createLog('silent'),
  })
  return { streams, encodings: () => encodings }
}

class Recorder implements Subscriber {
  readonly events: string[] = []
  readonly signals: string[] = []
  readonly messages: string[] = []
  detachedAt: number | null = null
  onEvent = ({ encoded }: PublishedEvent) => void this.events.push(encoded)
  onSignal = (encoded: string) => void this.signals.push(encoded)
  onMessage = (encoded: string) => void this.messages.push(encoded)
  onDetached = (_: unknown, until: number) => {
    this.detachedAt = until
  }
  sendElsewhere = () => {}
}

const LOCKED = { name: 'conference.locked', body: { locked: true }, version: 1 } as const
const ANNA: User = {
  id: 7,
  login: 'anna',
  displayName: 'Anna',
  kind: 'ordinary',
  passwordHash: null,
  capabilities: [],
  createdAt: 0,
  language: null,
  email: null,
  missedCallMails: false,
  disabledAt: null,
  deletedAt: null,
}

describe('the streams of sessions', () => {
  it('Q2 number events from 1 and encode each once for all subscribers', () => {
    const { streams, encodings } = setUp()
    const [one, other] = [new Recorder(), new Recorder()]
    const stream = streams.sessions.open(1)
    stream.subscribers.set('a', one)
    stream.subscribers.set('b', other)
    streams.publish(1, LOCKED)
    streams.publish(1, LOCKED)
    expect([one.events, other.events]).toEqual([
      ['1 conference.locked', '2 conference.locked'],
      ['1 conference.locked', '2 conference.locked'],
    ])
    expect(encodings()).toBe(2)
  })

  it('Q3 have the epoch of their incarnation, regardless of the clock', () => {
    const epoch = (incarnation: number, nowMs: number) =>
      BigInt(setUp({ incarnation, nowMs }).streams.sessions.open(1).epoch)
    expect(epoch(2, 1_000)).toBeGreaterThan(epoch(1, 1_700_000_000_000))
    expect(epoch(1, 1_000)).toBe(epoch(1, 2_000))
    // Greater than the clock, from which earlier versions took epochs.
    expect(epoch(1, 0)).toBeGreaterThan(BigInt(Date.UTC(2100, 0)))
  })

  it('Y4 replay the events in the window, and no others', () => {
    const { streams } = setUp()
    for (let i = 0; i < SESSION_WINDOW.events + 2; i++) streams.publish(1, LOCKED)
    const stream = streams.sessions.open(1)
    expect(stream.since(1)).toBeNull()
    expect(stream.since(2)).toHaveLength(SESSION_WINDOW.events)
    expect(stream.since(SESSION_WINDOW.events, SESSION_WINDOW.events + 1)).toEqual([
      `${SESSION_WINDOW.events + 1} conference.locked`,
    ])
    expect(stream.since(SESSION_WINDOW.events + 3)).toBeNull()
  })

  it('Q6 end for one subscriber or for all, with the last event that it received', () => {
    const { streams } = setUp()
    const [one, other] = [new Recorder(), new Recorder()]
    const stream = streams.sessions.open(1)
    stream.subscribers.set('a', one)
    stream.subscribers.set('b', other)
    streams.publish(1, LOCKED)
    streams.detach(1, 'a')
    streams.publish(1, LOCKED)
    streams.close(1)
    expect([one.detachedAt, other.detachedAt]).toEqual([1, 2])
    expect(streams.size).toBe(0)
  })

  it('exist only for sessions that this server runs', () => {
    const { streams } = setUp()
    streams.publish(2, LOCKED)
    expect(streams.size).toBe(0)
    expect(() => streams.sessions.open(2)).toThrow('Session 2 is not open on this server.')
  })

  it('send signals to all but their sender, and messages to one subscriber', () => {
    const { streams } = setUp()
    const [one, other] = [new Recorder(), new Recorder()]
    const stream = streams.sessions.open(1)
    stream.subscribers.set('a', one)
    stream.subscribers.set('b', other)
    streams.sessions.signal(1, { sourceId: 'a', name: 'chat.typing', body: {}, ttlMs: 1 }, 'a')
    streams.sessions.send(1, 'a', 'an offer')
    expect([one.signals, other.signals]).toEqual([[], ['1 chat.typing']])
    streams.sessions.signalTo(1, 'a', { sourceId: 'server', name: 'media.reception', body: {}, ttlMs: 1 })
    expect([one.signals, other.signals]).toEqual([['2 media.reception'], ['1 chat.typing']])
    expect([one.messages, other.messages]).toEqual([['an offer'], []])
  })
})

describe('the streams of accounts', () => {
  it('Q1 receive the events of their account that any server publishes on the bus', async () => {
    const bus = new InMemoryEventBus<AccountNotice>()
    const [here, there] = [setUp({ bus }), setUp({ bus })]
    const [one, other] = [new Recorder(), new Recorder()]
    await here.streams.accounts.subscribe(ANNA, 'a', one)
    await there.streams.accounts.subscribe(ANNA, 'b', other)
    here.streams.accounts.publish(7, { name: 'job.available', body: { kind: 'recording' } })
    here.streams.accounts.publish(8, { name: 'job.available', body: { kind: 'recording' } })
    expect([one.events, other.events]).toEqual([['1 job.available'], ['1 job.available']])
  })

  it('receive account.changed once for each new name', async () => {
    const { streams } = setUp()
    const anna = new Recorder()
    const stream = await streams.accounts.subscribe(ANNA, 'a', anna)
    streams.accounts.publishName(ANNA)
    streams.accounts.publishName({ id: 7, displayName: 'Anne' })
    await streams.accounts.subscribe({ ...ANNA, displayName: 'Anne' }, 'a', anna)
    expect(anna.events).toEqual(['1 account.changed'])
    expect(stream.state()).toMatchObject({ user_id: '7', display_name: 'Anne' })
  })

  it('Q3 have a greater epoch each time, even if the clock does not advance', async () => {
    const { streams } = setUp()
    const first = await streams.accounts.subscribe(ANNA, 'a', new Recorder())
    streams.unsubscribe(first, 'a')
    expect(streams.size).toBe(0)
    const second = await streams.accounts.subscribe(ANNA, 'a', new Recorder())
    expect(Number(second.epoch)).toBeGreaterThan(Number(first.epoch))
  })
})

/** The contacts of everybody, whose reads tests can hold up. */
class ContactSource implements AccountStateSource {
  presence: Contact['presence'] = 'offline'
  reads = 0
  isFailing = false
  #gate: Promise<void> = Promise.resolve()

  /** Reads that begin from now on wait for the returned function. */
  holdReads(): () => void {
    let open = () => {}
    this.#gate = new Promise(resolve => {
      open = resolve
    })
    return open
  }

  async load() {
    const contacts = [this.#contact()]
    await this.#gate
    if (this.isFailing) throw new Error('the store failed')
    return { contacts }
  }

  keysOf({ contacts = [] }: Partial<AccountState>) {
    return contacts.map(each => each.user_id)
  }

  async refresh(keys: readonly string[], state: AccountState) {
    this.reads += 1
    const contact = this.#contact()
    await this.#gate
    if (this.isFailing) throw new Error('the store failed')
    if (state.contacts[0]?.presence === contact.presence) return []
    return keys.map(key => ({ key, event: { name: 'contact.changed' as const, body: { contact } } }))
  }

  staleAfter = ({ name }: AccountEvent) =>
    name === 'presence.changed' ? { key: '8', isUrgent: false } : null

  #contact = (): Contact => ({
    user_id: '8',
    login: 'ben',
    display_name: 'Ben',
    state: 'contact',
    muted: false,
    presence: this.presence,
  })
}

describe('the states of accounts', () => {
  const setUpContacts = () => {
    const source = new ContactSource()
    const { streams } = setUp()
    streams.accounts.addSource('contacts', source)
    const presences = (stream: Stream) =>
      (stream.state() as AccountState).contacts.map(({ presence }) => presence)
    return { source, accounts: streams.accounts, streams, anna: new Recorder(), presences }
  }
  const online = { name: 'presence.changed', body: { user_id: '8', presence: 'online' } } as const
  const settle = () => new Promise(resolve => setTimeout(resolve, 5))

  it('Q7 are loaded before the first snapshot, together with what happens meanwhile', async () => {
    const { source, accounts, anna, presences } = setUpContacts()
    const open = source.holdReads()
    const opening = accounts.subscribe(ANNA, 'a', anna)
    source.presence = 'online'
    accounts.publish(7, online)
    open()
    expect(presences(await opening)).toEqual(['online'])
  })

  it('Q8 are read again on request, and published when they differ', async () => {
    const { source, accounts, anna, presences } = setUpContacts()
    const stream = await accounts.subscribe(ANNA, 'a', anna)
    accounts.refresh(7, 'contacts', ['8'])
    await settle()
    expect([source.reads, anna.events]).toEqual([1, []])
    source.presence = 'away'
    accounts.refresh(7, 'contacts', ['8'])
    accounts.refresh(7, 'contacts', ['8'])
    await settle()
    expect([source.reads, anna.events]).toEqual([2, ['1 contact.changed']])
    expect(presences(stream)).toEqual(['away'])
  })

  it('Q8 are verified a tick after an event, which repairs what was lost', async () => {
    const { source, accounts, anna, presences } = setUpContacts()
    const stream = await accounts.subscribe(ANNA, 'a', anna)
    accounts.publish(7, online) // the store says offline
    expect(presences(stream)).toEqual(['online'])
    accounts.tick()
    await settle()
    expect(presences(stream)).toEqual(['offline'])
    expect(source.reads).toBe(1)
  })

  it('Q8 are verified every fifth tick while events keep coming, and after the last one', async () => {
    const { source, accounts, anna, presences } = setUpContacts()
    const stream = await accounts.subscribe(ANNA, 'a', anna)
    const reads: number[] = []
    const tick = async () => {
      accounts.tick()
      await settle()
      reads.push(source.reads)
    }
    for (let i = 0; i < 8; i++) {
      accounts.publish(7, online)
      await tick()
    }
    expect(reads).toEqual([1, 1, 1, 1, 1, 2, 2, 2])
    expect(presences(stream)).toEqual(['online'])
    for (let i = 0; i < 4; i++) await tick()
    expect(reads.slice(8)).toEqual([2, 2, 3, 3])
    expect(presences(stream)).toEqual(['offline'])
  })

  it('Q8 do not revert to what was read before an event', async () => {
    const { source, accounts, anna, presences } = setUpContacts()
    const stream = await accounts.subscribe(ANNA, 'a', anna)
    source.presence = 'away'
    accounts.refresh(7, 'contacts', ['8'])
    const open = source.holdReads()
    await settle()
    source.presence = 'online'
    accounts.publish(7, online)
    open()
    await settle()
    expect(presences(stream)).toEqual(['online'])
    expect(anna.events).toEqual(['1 presence.changed'])
  })

  it('Q8 are read again after a failure of the store', async () => {
    const { source, accounts, anna, presences } = setUpContacts()
    const stream = await accounts.subscribe(ANNA, 'a', anna)
    source.presence = 'online'
    source.isFailing = true
    accounts.refresh(7, 'contacts', ['8'])
    await settle()
    source.isFailing = false
    accounts.tick()
    await settle()
    expect(presences(stream)).toEqual(['online'])
  })

  it('Q9 are compared with the store as a whole after events were lost', async () => {
    const source = new ContactSource()
    let lose = () => {}
    const onLost = (handler: () => void) => {
      lose = handler
    }
    const delivery = { verifyEveryMs: () => 60_000, onLost }
    const { streams } = setUp({ delivery })
    streams.accounts.addSource('contacts', source)
    const anna = new Recorder()
    const stream = await streams.accounts.subscribe(ANNA, 'a', anna)
    streams.accounts.tick()
    source.presence = 'away'
    await settle()
    expect(source.reads).toBe(0)
    lose()
    streams.accounts.tick()
    await settle()
    expect((stream.state() as AccountState).contacts[0]?.presence).toBe('away')
    expect(anna.events).toEqual(['1 contact.changed'])
  })

  it('are closed when they cannot be loaded, and when their last subscriber leaves while another waits', async () => {
    const { source, accounts, streams, anna } = setUpContacts()
    source.isFailing = true
    await expect(accounts.subscribe(ANNA, 'a', anna)).rejects.toThrow('the store failed')
    expect(accounts.size).toBe(0)
    source.isFailing = false
    const [stream] = await Promise.all([
      accounts.subscribe(ANNA, 'a', anna),
      accounts.subscribe(ANNA, 'b', anna),
    ])
    streams.unsubscribe(stream, 'a')
    expect(accounts.size).toBe(1)
    streams.unsubscribe(stream, 'b')
    expect(accounts.size).toBe(0)
  })
})
