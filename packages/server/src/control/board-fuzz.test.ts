import { fuzzSeeds, type RandomChoices, randomChoices, seededRandom } from '@lectern/common/testing'
import { ControlFailure, changeBoard, WatchedPage } from '@lectern/control-client'
import { FIRST_PAGE_ID, versionsOfPage } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import type { BoardStore } from '../sessions/board/ports.ts'
import { boardStore } from '../sessions/stores/boards.ts'
import { type ControlHarness, createHarness } from './testing/control-harness.ts'
import { strokeBody } from './testing/drawer.ts'
import { type Page, PageGroup } from './testing/page-group.ts'

const STEPS = 60
const PEOPLE = ['anna', 'ben', 'carl']

/** Somebody who draws on the first page, and watches it. */
interface Person {
  page: Page
  watched: WatchedPage | null
  /** The versions of own elements that were sent; 0: deleted. */
  sent: Map<string, number>
}

/** People who draw on one page while connections are cut, writes fail and the server is killed. */
class Fuzz {
  readonly #random: RandomChoices
  readonly #group: PageGroup
  readonly #harness: ControlHarness
  readonly #people: Person[] = []
  readonly #committed = new Map<string, number>()
  #failures = 0
  #server = { isDead: false }
  #writing = 0
  #elements = 0
  #sending = 0

  constructor(harness: ControlHarness, seed: number) {
    this.#harness = harness
    this.#random = randomChoices(seededRandom(seed))
    this.#group = new PageGroup(harness, seed)
  }

  /** Some writes are lost, and of some the answer. A server that was killed begins no write any more. */
  #failing(store: BoardStore): BoardStore {
    const server = { isDead: false }
    this.#server = server
    return {
      ...store,
      write: async writes => {
        if (server.isDead) return new Promise(() => {})
        const isFailing = this.#failures > 0 && this.#failures-- > 0
        if (isFailing && this.#random.chance(0.5)) throw new Error('store: not written')
        this.#writing += 1
        const results = await store.write(writes).finally(() => {
          this.#writing -= 1
        })
        if (isFailing) throw new Error('store: written, answer lost')
        return results
      },
    }
  }

  async run(): Promise<void> {
    this.#harness.boardStore = db => this.#failing(boardStore(db))
    await this.#harness.restart()
    for (const name of PEOPLE) {
      const page = this.#group.open(name, name === 'anna' ? 'moderator' : 'participant')
      this.#people.push({ page, watched: null, sent: new Map() })
    }
    await this.#settle()
    for (let step = 0; step < STEPS; step++) {
      await this.#random.pick(this.#steps)()
      if (this.#random.chance(0.3)) await this.#group.pass(500)
    }
    this.#failures = 0
    await this.#settle()
    this.#check()
  }

  #steps = [
    () => this.#put(),
    () => this.#put(),
    () => this.#put(),
    () => this.#change(),
    () => this.#change(),
    () => this.#delete(),
    () => this.#cut(),
    () => this.#fail(),
    () => this.#kill(),
    () => this.#flush(),
    () => this.#flush(),
    () => this.#flush(),
  ]

  async #put() {
    const person = this.#random.pick(this.#people)
    this.#send(person, `element-${1000 + ++this.#elements}`, 1)
  }

  async #change() {
    const person = this.#random.pick(this.#people)
    const [id] = [...person.sent].filter(([, version]) => version > 0).slice(-3)
    if (id) this.#send(person, id[0], id[1] + 1)
  }

  async #delete() {
    const person = this.#random.pick(this.#people)
    const known = [...person.sent].filter(([, version]) => version > 0)
    if (known.length === 0 || !person.page.inside) return
    const [element_id, version] = this.#random.pick(known)
    person.sent.set(element_id, 0)
    const body = { page_id: FIRST_PAGE_ID, elements: [{ element_id, version: version + 1 }] }
    // The element may be still on its way, if its command had to be repeated: then there was nothing to delete.
    const deletion = changeBoard(person.page.client, person.page.inside.sessionId, 'board.delete', body)
    this.#track(deletion, ({ skipped }) => {
      if (skipped.length === 0) this.#committed.set(element_id, 0)
    })
  }

  #send(person: Person, elementId: string, version: number) {
    const { inside, client } = person.page
    if (!inside) return
    person.sent.set(elementId, version)
    const body = strokeBody(elementId, version) as Parameters<typeof changeBoard<'board.put'>>[3]
    this.#track(changeBoard(client, inside.sessionId, 'board.put', body), () => {
      if (this.#committed.get(elementId) !== 0)
        this.#committed.set(elementId, Math.max(version, this.#committed.get(elementId) ?? 0))
    })
  }

  /** Somebody who has to join again is not inside for a moment. */
  #track<T>(command: Promise<T>, onCommitted: (data: T) => unknown) {
    this.#sending += 1
    command
      .then(onCommitted, (error: unknown) => {
        expect(error).toBeInstanceOf(ControlFailure)
        expect((error as ControlFailure).reason).toBe('not_inside')
      })
      .finally(() => {
        this.#sending -= 1
      })
  }

  async #cut() {
    const { network } = this.#random.pick(this.#people).page
    for (const wire of network.sockets) if (!wire.isClosed) wire.drop()
  }

  async #fail() {
    this.#failures = 1 + this.#random.below(2)
  }

  async #kill() {
    this.#server.isDead = true
    while (this.#writing > 0) await new Promise(setImmediate)
    // With media that goes on, the next server takes the connections over; otherwise people join again.
    const { runningMedia } = this.#harness
    runningMedia.clear()
    for (const { page } of this.#people)
      if (page.inside && this.#random.chance(0.5))
        runningMedia.set(Number(page.inside.sessionId), { route: null, memberIds: [], publications: [] })
    await this.#harness.restart()
    for (const { page } of this.#people)
      for (const wire of page.network.sockets) if (!wire.isClosed) wire.drop()
  }

  async #flush() {
    for (const { page } of this.#people)
      for (const wire of page.network.sockets) if (!wire.isClosed) wire.flush()
    await this.#harness.settle()
    this.#watch()
  }

  #watch() {
    for (const person of this.#people)
      if (person.page.inside && !person.watched)
        person.watched = new WatchedPage(person.page.client, person.page.inside.sessionId, FIRST_PAGE_ID)
  }

  async #settle() {
    await this.#group.settle()
    this.#watch()
    await this.#group.settle()
  }

  #check() {
    expect(this.#sending).toBe(0)
    const seen = this.#people.map(({ watched }) => new Map(watched?.elements))
    const [versions, ...others] = seen.map(versionsOfPage)
    for (const other of others) expect(other).toBe(versions)
    for (const [elementId, version] of this.#committed)
      if (version === 0) expect(seen[0]?.get(elementId), elementId).toBeUndefined()
      else expect(seen[0]?.get(elementId)?.version ?? 0, elementId).toBeGreaterThanOrEqual(version)
    expect(this.#committed.size).toBeGreaterThan(0)
    // A server that takes over does not know of an answer that was lost with the one before (rule Y5).
    const { violations } = this.#group.monitor
    expect(violations.filter(each => !each.startsWith('resume of'))).toEqual([])
  }
}

describe('a page of a board, random work next to cuts, failed writes and kills', () => {
  it.each(fuzzSeeds(1, 2, 3))(
    'BOARD-5, BOARD-7, C32 and C33 keep each committed element once, the same for all: seed %d',
    async seed => {
      const harness = await createHarness()
      await new Fuzz(harness, seed).run()
    },
  )
})
