import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import {
  joinInstrumented,
  measureFrameGap,
  receivedVideo,
  UNUSED_PORT,
  waitForVideo,
} from '../../support/media.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import type { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_MEDIA_WORKERS: '2',
  SVC_MEDIA_CONSUMERS_PER_WORKER: '1',
}))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })

interface Person {
  label: string
  visitor: Visitor
}

/** So that a worker has one port for everybody: on a busy machine Chromium may prefer TCP. */
const BY_UDP = { ports: { tcp: UNUSED_PORT } }

const FULL_NAMES = ['Anna Petrova', 'Mia Andersson', 'Sam', 'Lee']

describe('a room over two media workers', () => {
  let people: Person[]
  beforeAll(async () => {
    const partner = lectern.client(await lectern.addAccount())
    const { links } = await createHostedRoom(partner, 'over-two-workers', open)
    people = []
    for (const [index, label] of FULL_NAMES.entries()) {
      const link = [links.teacher, links.student][index] ?? links.plain
      const visitor = await joinInstrumented(open, link, { ...BY_UDP, ...(index >= 2 && { name: label }) })
      people.push({ label, visitor })
    }
  })

  const others = (person: Person) => people.filter(each => each !== person)
  const videosOf = (viewer: Person) =>
    Promise.all(
      others(viewer).map(async ({ label }) => ({ label, video: await receivedVideo(viewer.visitor, label) })),
    )
  /** The media worker to which the receiving transport of a person is connected. */
  const portOf = async (person: Person) => (await videosOf(person))[0]?.video?.port ?? 0

  it('shows all participants to each other, with half of them on each worker', async () => {
    for (const viewer of people)
      for (const { label } of others(viewer)) await waitForVideo(viewer.visitor, label)
    const sizesOfGroups = async () => {
      const ports = await Promise.all(people.map(portOf))
      return ports.map(port => ports.filter(each => each === port).length)
    }
    await expect.poll(sizesOfGroups).toEqual([2, 2, 2, 2])
  })

  it('continues without a gap for those on the remaining worker when the other one is killed', async () => {
    const ports = await Promise.all(people.map(portOf))
    const groups = [...new Set(ports)].map(port => people.filter((_, index) => ports[index] === port))
    const before = new Map(
      await Promise.all(people.map(async person => [person, await videosOf(person)] as const)),
    )
    const gaps = groups.map(([first, second]) =>
      first && second ? measureFrameGap(first.visitor, second.label) : async () => 0,
    )
    const [pid] = mediaWorkersOf(lectern.pid)
    if (pid === undefined) throw new Error('no media worker')
    process.kill(pid, 'SIGKILL')

    // Everybody who had media from the dead worker gets it anew, in both directions.
    const trackOf = (viewer: Person, label: string) =>
      before.get(viewer)?.find(each => each.label === label)?.video ?? null
    const isSpared = async ([first, second]: Person[]) =>
      first && second
        ? (await receivedVideo(first.visitor, second.label))?.track === trackOf(first, second.label)?.track
        : false
    await waitFor(
      async () => (await Promise.all(groups.map(isSpared))).filter(spared => spared).length === 1,
      'one half has other tracks',
    )
    const [spared, affected] = (await isSpared(groups[0] ?? [])) ? groups : [...groups].reverse()
    if (!spared || !affected) throw new Error('there are not two halves')
    for (const viewer of affected)
      for (const { label } of others(viewer))
        await waitForVideo(viewer.visitor, label, trackOf(viewer, label))
    for (const viewer of spared)
      for (const { label } of affected) await waitForVideo(viewer.visitor, label, trackOf(viewer, label))

    // The others kept their tracks, on which frames went on.
    const longest = await Promise.all(gaps.map(stop => stop()))
    const gapOf = (group: Person[]) => longest[groups.indexOf(group)] ?? 0
    console.log(
      `longest time without a frame: ${gapOf(spared)} ms on the living worker, ${gapOf(affected)} ms on the killed one`,
    )
    for (const viewer of spared)
      for (const { label } of spared.filter(each => each !== viewer)) {
        const then = trackOf(viewer, label)
        const now = await receivedVideo(viewer.visitor, label)
        expect(now?.track).toBe(then?.track)
        expect(now?.frames).toBeGreaterThan((then?.frames ?? 0) + 20)
      }
    for (const { visitor } of people) expect(await visitor.page.locator('[data-tile]').count()).toBe(4)
  })
})

function mediaWorkersOf(pid: number): number[] {
  const children = execFileSync('ps', ['--ppid', String(pid), '-o', 'pid=,args='], { encoding: 'utf8' })
  const workers = children.split('\n').filter(line => line.includes('mediasoup-worker'))
  expect(workers.length).toBe(2)
  return workers.map(line => Number.parseInt(line, 10))
}
