import { seededRandom } from '@lectern/common/testing'
import type { MediaSource } from '@lectern/protocol/control'
import { afterEach, expect, it, vi } from 'vitest'
import { MediaRefusal } from './refusals.ts'
import { eventually, SfuTestHarness, type TestParticipant } from './testing/harness.ts'

vi.setConfig({ testTimeout: 120_000 }) // starts processes

const SEED = Number(process.env.LECTERN_SEED ?? 15)
const ROUNDS = 25
const STEPS_PER_ROUND = 8
const PEOPLE = ['anna', 'ben', 'cleo', 'dora', 'emil', 'fred']
const SOURCES: MediaSource[] = ['microphone', 'camera', 'screen']

/** The expected participants, and their publications by source. */
type Model = Map<string, { participant: TestParticipant; published: Map<MediaSource, { paused: boolean }> }>

let harness: SfuTestHarness
afterEach(() => harness.sfu.stop())

const publicationId = (person: string, source: MediaSource) => `${person}.${source}`

class Fuzz {
  readonly model: Model = new Map()
  readonly #random: () => number
  /** Another id for each presence, as sessions have it. */
  #presences = 0
  readonly #failed = new Set<string>()

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  any = <T>(list: readonly T[]): T => list[Math.floor(this.#random() * list.length)] as T

  /** One random change, in the model at once and on the server while others are in progress. */
  async step(): Promise<void> {
    const person = this.any(PEOPLE)
    try {
      await this.#change(person)
    } catch (error) {
      // A worker has died, or somebody has left, meanwhile.
      expect(error).toBeInstanceOf(MediaRefusal)
      this.#failed.add(person)
    }
  }

  #change(person: string): Promise<unknown> {
    const present = this.model.get(person)
    if (!present) return this.#join(person)
    const { participant, published } = present
    const source = this.any(SOURCES)
    const known = published.get(source)
    const id = publicationId(participant.ref.participantId, source)
    switch (
      this.any(['leave', 'publish', 'publish', 'unpublish', 'pause', 'resume', 'hide', 'reopen'] as const)
    ) {
      case 'leave':
        this.model.delete(person)
        harness.sfu.closeParticipant(1, participant.ref.participantId)
        return Promise.resolve()
      case 'publish':
        if (known || !participant.endpoint) return Promise.resolve()
        published.set(source, { paused: false })
        return participant.publish(id, source)
      case 'unpublish':
        if (!published.delete(source)) return Promise.resolve()
        return Promise.resolve().then(() => harness.sfu.close(participant.ref, id))
      case 'pause':
      case 'resume':
        if (!known) return Promise.resolve()
        known.paused = !known.paused
        return known.paused ? harness.sfu.pause(participant.ref, id) : harness.sfu.resume(participant.ref, id)
      case 'hide':
        return harness.sfu.setLayers(participant.ref, publicationId(this.any(PEOPLE), source), null)
      case 'reopen':
        return this.#enter(participant, published)
    }
  }

  /** Resolves when the worker has been replaced. */
  async kill(): Promise<void> {
    const { alive } = harness.sfu.workers
    const { id, worker } = this.any(alive)
    process.kill(worker.pid, 'SIGKILL')
    await eventually(() => {
      const ids = harness.sfu.workers.alive.map(each => each.id)
      expect(ids).not.toContain(id)
      expect(ids).toHaveLength(3)
    })
  }

  /** Like a client: without an endpoint on a living worker, or after an error, opens another one and publishes again. */
  async repair(): Promise<void> {
    const living = new Set(harness.sfu.workers.alive.map(({ id }) => id))
    for (const [person, { participant, published }] of this.model)
      if (this.#failed.has(person) || !living.has(participant.endpoint?.workerId))
        await vi.waitFor(() => this.#enter(participant, published), { timeout: 100_000, interval: 50 })
    this.#failed.clear()
  }

  async #join(person: string): Promise<void> {
    const participant = harness.participant(`${person}-${this.#presences++}`)
    this.model.set(person, { participant, published: new Map() })
    await participant.enter()
  }

  async #enter(
    participant: TestParticipant,
    published: Map<MediaSource, { paused: boolean }>,
  ): Promise<void> {
    await participant.enter()
    for (const [source, { paused }] of published)
      await participant.publish(publicationId(participant.ref.participantId, source), source, { paused })
  }
}

/** Compares what is open in mediasoup with the model. */
function check({ model }: Fuzz): void {
  const people = [...model.values()]
  const publications = people.flatMap(({ participant, published }) =>
    [...published].map(([source, { paused }]) => ({
      id: publicationId(participant.ref.participantId, source),
      owner: participant,
      source,
      paused,
    })),
  )
  const open = [...harness.consumers.values()].filter(({ closed }) => !closed)
  for (const { participant } of people) {
    const received = participant.offers
      .map(({ negotiation, offer }) => ({
        id: negotiation.publicationId,
        consumer: harness.consumers.get(offer.consumerId),
      }))
      .filter(({ consumer }) => consumer && !consumer.closed)
    const paused = new Map(received.map(({ id, consumer }) => [id, consumer?.producerPaused]))
    const expected = publications.filter(({ owner }) => owner !== participant)
    expect([...paused].sort()).toEqual(expected.map(each => [each.id, each.paused]).sort())
  }
  const [home] = harness.sfu.workersOf(1)
  const pipes = publications.flatMap(({ owner, source }) => {
    const targets = new Set(
      people
        .filter(({ participant }) => participant !== owner)
        .map(({ participant }) => participant.endpoint.workerId),
    )
    if (source === 'microphone' && home) targets.add(home) // detects the speakers
    targets.delete(owner.endpoint.workerId)
    return [...targets]
  })
  expect(open.filter(({ type }) => type === 'pipe')).toHaveLength(pipes.length)
  expect(open).toHaveLength(publications.length * (people.length - 1 || 0) + pipes.length)
  expect([...harness.producers].filter(({ closed }) => !closed)).toHaveLength(
    publications.length + pipes.length,
  )
}

it(`a room on three workers equals its model after random changes and crashes (LECTERN_SEED=${SEED})`, async () => {
  harness = await SfuTestHarness.open({ workers: 3, consumersPerWorker: 1, republishTimeoutMs: 60_000 })
  const fuzz = new Fuzz(SEED)
  for (let round = 0; round < ROUNDS; round++) {
    const steps = Array.from({ length: STEPS_PER_ROUND }, () => fuzz.step())
    if (round % 5 === 4) await fuzz.kill()
    await Promise.all(steps)
    await fuzz.repair()
    await eventually(() => check(fuzz))
  }
  harness.sfu.closeRoom(1)
  await eventually(() => expect(harness.sfu.workers.alive.map(({ load }) => load())).toEqual([0, 0, 0]))
})
