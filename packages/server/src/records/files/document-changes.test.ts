import { expect, it } from 'vitest'
import { presentIndex } from '../../sessions/board/deck.ts'
import { withSlides } from '../../sessions/board/slides.ts'
import { DocumentChanges } from './document-changes.ts'

const FILE = 'b_0123456789abcdef0123456789abcdef'
const NOTICE = { fileId: FILE, conferenceTag: 'k7mq' }
const here = { isHere: () => true, clock: () => 0 }

/** The messages that a client receives while `count` pages are converted, one every `everyMs`. */
async function convert(count: number, everyMs: number) {
  const index = (done: number) => {
    const deck = { pages: [], shownPageId: null, rights: { mode: 'everybody' } } as const
    const pages = Array.from({ length: done }, (_, at) => ({
      pageNumber: at + 1,
      width: 1920,
      height: 1080,
      failure: null,
    }))
    const file = { fileId: FILE, conferenceTag: 'k7mq', pages }
    return presentIndex(withSlides({ ...deck, pages: [] }, file, 0, text => text.slice(-12)))
  }
  let [nowMs, done, bytes] = [0, 0, 0]
  const published: number[] = []
  const changes = new DocumentChanges({
    ...here,
    publish: async () => {
      published.push(done)
      bytes += JSON.stringify(index(done).pages).length
      return done
    },
    pause: async ms => {
      nowMs += ms
      for (; done < count && (done + 1) * everyMs <= nowMs; changes.add(NOTICE)) done++
    },
  })
  while (done < count) {
    done++
    nowMs = Math.max(nowMs, done * everyMs)
    changes.add(NOTICE)
    await new Promise(resolve => setImmediate(resolve))
  }
  return { published, bytes }
}

it('BOARD-16 the pages of slides cost in proportion to their number', async () => {
  const [half, all] = [await convert(100, 50), await convert(200, 50)]
  expect(all.published.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
  expect(all.published.at(-1)).toBe(200)
  expect(all.published.length).toBeLessThan(40)
  expect(all.bytes).toBeLessThan(2.5 * half.bytes)
  expect(all.bytes).toBeLessThan(300_000)
})

it('BOARD-16 the end of a conversion is published at once, and only once', async () => {
  const pauses: (() => void)[] = []
  let published = 0
  const changes = new DocumentChanges({
    ...here,
    publish: async () => ++published,
    pause: () => new Promise(resolve => void pauses.push(resolve)),
  })
  const settle = () => new Promise(resolve => setImmediate(resolve))
  changes.add(NOTICE)
  changes.add(NOTICE)
  await settle()
  expect(published).toBe(1)
  changes.add({ ...NOTICE, hasEnded: true })
  await settle()
  expect(published).toBe(2)
  while (pauses.length > 0) {
    pauses.pop()?.()
    await settle()
  }
  expect(published).toBe(2)
})

it('BOARD-16 what happened while nobody ran the session is published by the server that takes it over, for two minutes', async () => {
  let [nowMs, isHere, published] = [0, false, 0]
  const changes = new DocumentChanges({
    publish: async () => ++published,
    pause: async () => {},
    isHere: () => isHere,
    clock: () => nowMs,
  })
  changes.add(NOTICE)
  changes.tick()
  expect(published).toBe(0)
  isHere = true
  changes.tick()
  changes.tick()
  expect(published).toBe(1)

  isHere = false
  changes.add({ ...NOTICE, fileId: 'another' })
  nowMs = 120_000
  changes.tick()
  isHere = true
  changes.tick()
  expect(published).toBe(1)
})

it('BOARD-16 what could not be published, or not be added to the board, is published again each second, for two minutes', async () => {
  let [nowMs, attempts, isAway] = [0, 0, true]
  const changes = new DocumentChanges({
    publish: async () => {
      attempts += 1
      if (isAway) throw new Error('away')
      return 1
    },
    pause: async () => {},
    isHere: () => true,
    clock: () => nowMs,
  })
  const settle = () => new Promise(resolve => setImmediate(resolve))
  const second = async () => {
    nowMs += 1_000
    changes.tick()
    await settle()
  }
  changes.add({ ...NOTICE, hasEnded: true })
  await settle()
  await second()
  await second()
  expect(attempts).toBe(3)
  isAway = false
  await second()
  await second()
  expect(attempts).toBe(4)

  changes.failed(NOTICE)
  await second()
  expect(attempts).toBe(5)

  isAway = true
  changes.add({ ...NOTICE, fileId: 'another' })
  await settle()
  for (let i = 0; i < 130; i++) await second()
  expect(attempts).toBe(5 + 1 + 119)
})
