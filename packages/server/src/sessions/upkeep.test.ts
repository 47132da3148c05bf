import { describe, expect, it } from 'vitest'
import { useDatabaseLeases } from './testing/database-leases.ts'
import { OTHER_TAG, openTestHarness, TAG, type TestHarness, type Wrap } from './testing/test-harness.ts'

const TAGS = [TAG, OTHER_TAG, 'ffff-ggggg-hhhh']

/** A server of a cluster that finds a session in each of these conferences which nobody runs. */
async function openWithVacant(wrap: Wrap, tags = TAGS): Promise<TestHarness> {
  const harness = await openTestHarness(wrap)
  for (const tag of tags) {
    harness.directory.known.set(tag, { tag, title: tag, kind: 'partner', ownerId: null, entry: 'open' })
    await harness.unwrapped.sessions.findOrOpen(tag, 1)
  }
  useDatabaseLeases(harness)
  return harness
}

const running = (harness: TestHarness) => harness.registry.held.map(({ tag }) => tag).sort()

describe('the maintenance of sessions', () => {
  it('LEASE-5 runs the other vacant sessions when one cannot be opened, and that one later', async () => {
    const state = { failures: 1 }
    const harness = await openWithVacant(parts => ({
      ...parts,
      participants: {
        ...parts.participants,
        list: async sessionId => {
          if (state.failures-- > 0) throw new Error('the database broke the connection')
          return parts.participants.list(sessionId)
        },
      },
    }))
    await expect(harness.restart()).rejects.toThrow('broke the connection')
    expect(running(harness)).toHaveLength(2)
    await harness.upkeep.openVacant()
    expect(running(harness)).toEqual([...TAGS].sort())
  })

  it('runs the other vacant sessions while the media node of one does not answer', async () => {
    let answer: (() => void) | undefined
    const harness = await openWithVacant(parts => ({
      ...parts,
      takeOverMedia: room =>
        answer
          ? parts.takeOverMedia(room)
          : new Promise(resolve => {
              answer = () => resolve(null)
            }),
    }))
    const restart = harness.restart()
    await expect.poll(() => running(harness)).toHaveLength(2)
    answer?.()
    await restart
    expect(running(harness)).toHaveLength(3)
  })

  it('runs a session at once that this server has acquired and not opened', async () => {
    const harness = await openWithVacant(parts => parts)
    await harness.restart()
    await harness.conferences.end(TAG, 'closed')
    const { registry } = harness
    await registry.listVacant() // and nobody opens it
    await harness.unwrapped.sessions.findOrOpen(TAG, 1)
    const [unopened] = await registry.listVacant()
    expect(unopened?.stored.tag).toBe(TAG)
    expect(await registry.locate(TAG)).toEqual({ is: 'vacant' })
    await harness.join('anna')
    expect(await registry.locate(TAG)).toMatchObject({ is: 'local' })
  })

  it('LEASE-6 hands over and opens many sessions with as many statements as a few', async () => {
    const tagsOf = (count: number) => Array.from({ length: count }, (_, i) => `aaaa-bbbbb-${100 + i}`)
    const countFor = async (tags: string[]) => {
      const harness = await openWithVacant(parts => parts, tags)
      let statements = 0
      harness.onStatement = () => void statements++
      await harness.restart()
      for (const [i, tag] of tags.entries()) await harness.join(`anna-${i}`, 'participant', 1, tag)
      statements = 0
      await harness.upkeep.handOver()
      await new Promise(setImmediate) // what is given up together is given up in the next turn
      await harness.restart()
      expect(running(harness)).toEqual(tags)
      return statements
    }
    const [few, many] = [await countFor(tagsOf(3)), await countFor(tagsOf(90))]
    expect(many - few).toBeLessThan(6)
  })
})
