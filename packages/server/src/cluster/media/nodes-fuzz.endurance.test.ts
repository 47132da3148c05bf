import { fuzzSeeds, seededRandom } from '@lectern/common/testing'
import { Refusal } from '@lectern/protocol'
import type { MediaSource } from '@lectern/protocol/control'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { ParticipantRef } from '../../media/ports.ts'
import { eventually, SfuTestHarness, type TestParticipant } from '../../media/testing/harness.ts'
import { type NatsServer, startNats } from '../../testing/nats.ts'
import { NetworkError } from '../network/network-error.ts'
import { openNetworks } from '../testing.ts'
import { TestMediaCluster } from './testing/media-cluster.ts'

vi.setConfig({ testTimeout: 180_000 }) // starts processes

const ROUNDS = 12
const STEPS_PER_ROUND = 6
const KILL_EVERY = 4
const PEOPLE = ['anna', 'ben', 'cleo', 'dora', 'emil']
const SOURCES: MediaSource[] = ['microphone', 'camera', 'screen']

type Published = Map<MediaSource, { id: string; paused: boolean }>

let nats: NatsServer
let harness: SfuTestHarness
let cluster: TestMediaCluster
const networks = openNetworks(() => nats.url)
beforeAll(async () => {
  nats = await startNats()
})
afterEach(async () => {
  await harness.stop()
  await networks.closeAll()
})
afterAll(() => nats.stop())

/** The people inside, and what they publish; and the clients that bring it about. */
class Fuzz {
  readonly model = new Map<string, { participant: TestParticipant; published: Published }>()
  readonly #random: () => number
  /** Another id for each presence, as sessions have it. */
  #presences = 0
  /** Another id for each publication, as clients choose them. */
  #publications = 0
  #kills = 0
  readonly #failed = new Set<string>()
  /** The nodes may not know it yet. */
  #closed: { ref: ParticipantRef; id: string }[] = []

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  any = <T>(list: readonly T[]): T => list[Math.floor(this.#random() * list.length)] as T

  /** One random change, in the model at once and on the nodes while others are in progress. */
  async step(): Promise<void> {
    const person = this.any(PEOPLE)
    try {
      await this.#change(person)
    } catch (error) {
      // A node was killed, or somebody has left, meanwhile.
      expect(error instanceof Refusal || error instanceof NetworkError, String(error)).toBe(true)
      this.#failed.add(person)
    }
  }

  #change(person: string): Promise<unknown> {
    const present = this.model.get(person)
    if (!present) return this.#join(person)
    const { participant, published } = present
    const { ref } = participant
    const source = this.any(SOURCES)
    const known = published.get(source)
    switch (this.any(['leave', 'publish', 'publish', 'unpublish', 'pause', 'reopen'] as const)) {
      case 'leave':
        this.model.delete(person)
        harness.media.closeParticipant(1, ref.participantId)
        return Promise.resolve()
      case 'publish':
        if (known || !participant.endpoint) return Promise.resolve()
        return this.#publish(participant, published, source)
      case 'unpublish':
        if (!known) return Promise.resolve()
        published.delete(source)
        this.#closed.push({ ref, id: known.id })
        return harness.media.close(ref, known.id)
      case 'pause':
        if (!known) return Promise.resolve()
        known.paused = !known.paused
        return known.paused ? harness.media.pause(ref, known.id) : harness.media.resume(ref, known.id)
      case 'reopen':
        return this.#enter(participant, published)
    }
  }

  #publish(participant: TestParticipant, published: Published, source: MediaSource): Promise<unknown> {
    const id = `${participant.ref.participantId}.${source}.${this.#publications++}`
    published.set(source, { id, paused: false })
    return participant.publish(id, source)
  }

  /** A node dies, and another one starts. */
  async kill(): Promise<void> {
    await cluster.kill(this.any(cluster.nodes))
    await cluster.add(`node-${++this.#kills}`)
  }

  /**
   * Repairs media as clients do: whoever has no endpoint on a living worker, or got an error, opens another one and
   * publishes again.
   */
  async repair(): Promise<void> {
    const living = new Set(cluster.nodes.flatMap(({ sfu }) => sfu.workers.alive.map(({ id }) => id)))
    for (const [person, { participant, published }] of this.model)
      if (this.#failed.has(person) || !living.has(participant.endpoint?.workerId))
        await vi.waitFor(() => this.#enter(participant, published), { timeout: 30_000, interval: 100 })
    this.#failed.clear()
    for (const { ref, id } of this.#closed.splice(0)) await harness.media.close(ref, id).catch(() => {})
  }

  async #join(person: string): Promise<void> {
    const participant = harness.participant(`${person}-${this.#presences++}`)
    this.model.set(person, { participant, published: new Map() })
    await participant.enter()
  }

  async #enter(participant: TestParticipant, published: Published): Promise<void> {
    await participant.enter()
    for (const [source, known] of published) {
      const { id, paused } = known
      await participant.publish(id, source, { paused })
      // A node keeps a paused track paused when it is published again: until it is resumed.
      if (!known.paused) await harness.media.resume(participant.ref, id)
    }
  }
}

/** Everybody receives what the others publish, exactly once and with its paused state, wherever they are. */
function check({ model }: Fuzz): void {
  const people = [...model.values()]
  for (const { participant } of people) {
    const open = [
      ...new Set(participant.offers.map(({ negotiation, offer }) => [negotiation, offer] as const)),
    ]
      .map(([{ publicationId: id }, { consumerId }]) => ({ id, consumer: harness.consumers.get(consumerId) }))
      .filter(({ consumer }) => consumer?.closed === false)
    const received = new Set(
      open.map(({ id, consumer }) => `${id} ${consumer?.id} ${consumer?.producerPaused}`),
    )
    const expected = people
      .filter(other => other.participant !== participant)
      .flatMap(other => [...other.published.values()].map(({ id, paused }) => `${id} ${paused}`))
    const seen = [...received].map(each => each.replace(/ [^ ]+ /, ' '))
    expect(seen.sort()).toEqual(expected.sort())
  }
}

it.each(fuzzSeeds(61))(
  'a session over two nodes equals its model after random changes and crashes of nodes (seed %i)',
  async seed => {
    harness = await SfuTestHarness.open({ republishTimeoutMs: 60_000 }, async (_, parts) => {
      cluster = await TestMediaCluster.start(networks, parts, ['a', 'b'])
      return cluster.underTest
    })
    const fuzz = new Fuzz(seed)
    let rounds = 0
    for (let round = 0; round < ROUNDS; round++) {
      const steps = Array.from({ length: STEPS_PER_ROUND }, () => fuzz.step())
      if (round % KILL_EVERY === KILL_EVERY - 1) await fuzz.kill()
      await Promise.all(steps)
      await fuzz.repair()
      await vi.waitFor(() => check(fuzz), { timeout: 100_000, interval: 50 })
      if (harness.media.mediaNodesOf(1).length === 2) rounds += 1
    }
    expect(rounds, 'rounds on two nodes').toBeGreaterThan(0)
    harness.media.closeRoom(1)
    await eventually(() => {
      for (const { sfu } of cluster.nodes) {
        expect(sfu.workers.alive.map(({ load }) => load())).toEqual([0])
        expect(sfu.pipes?.size).toEqual({ sending: 0, receiving: 0 })
      }
    })
  },
)
