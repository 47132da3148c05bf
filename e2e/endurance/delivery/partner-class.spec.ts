import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import type { HostedEvent } from '@lectern/partner'
import { type PostgresServer, startPostgres } from '@lectern/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { useFirefox } from '../../support/firefox.ts'
import { useFolders } from '../../support/folders.ts'
import { type Account, useLectern } from '../../support/lectern.ts'
import { type Member, signInByLink, useMembers } from '../../support/members.ts'
import { usePlayer } from '../../support/played-video.ts'
import { usePrograms } from '../../support/program.ts'
import { type ClassPerson, SchoolBackend } from '../../support/school-backend.ts'
import { useStudents } from '../../support/students.ts'
import { HANGS_AFTER_MS, waitFor } from '../../support/wait.ts'

/** Each begins at a random time, and lasts for a random one. */
const FAILURES = 6
const LATEST_FAILURE_MS = 1_000
const LONGEST_FAILURE_MS = 2_000
const RECORDED_MS = 4_000
/** Composing takes longest of all on a busy machine; deliveries to a receiver that was away come later still. */
const FINISHED_WITHIN_MS = 4 * HANGS_AFTER_MS
/** With many others on the machine the story of one class has taken 500 s. */
const STORY_WITHIN_MS = 2 * FINISHED_WITHIN_MS

/** Each class has accounts of its own: those who send media count their commands from one. */
function classOf(school: string): ClassPerson[] {
  const some = (count: number, role: ClassPerson['role'], name: string): ClassPerson[] =>
    Array.from({ length: count }, (_, i) => ({
      id: `${school}-${role}-${i + 1}`,
      name: `${name} ${i + 1}`,
      role,
    }))
  return [...some(1, 'teacher', 'Tom'), ...some(3, 'assistant', 'Ada'), ...some(8, 'student', 'Ben')]
}

const makeFolder = useFolders()
const run = usePrograms()
const random = seededRandom(testSeed())
const folder = makeFolder()
chmodSync(folder, 0o711) // PostgreSQL runs as a user of its own
let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres(join(folder, 'data'))
})
afterAll(() => postgres.stop())
const lectern = useLectern(() => ({
  SVC_DB_URL: postgres.url,
  SVC_LIMITS_ENABLED: '0',
  SVC_RECORDER_EMBEDDED: '1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '60', // a killed server is back before, and the session goes on
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const enter = useMembers()
const joinWithMedia = useStudents()
const browsers = [useBrowser(), useFirefox()]
const expectPlays = usePlayer()
let account: Account
beforeAll(async () => {
  account = await lectern.addAccount('school', ['integration:rooms', 'blob'])
})

describe.each(['node', 'python', 'php'] as const)('a school whose backend is the example in %s', language => {
  const title =
    'has every event of the life of a class, once and in order, while everything is killed at random'
  it(title, { timeout: STORY_WITHIN_MS }, async () => {
    const backend = await SchoolBackend.start(run, lectern, account, language, makeFolder())
    const lesson = `class-of-twelve-${language}`
    const people = classOf(language)
    const { tag, links } = await backend.create(lesson, 'Algebra', people)
    const linkOf = ({ id }: ClassPerson) => links[id] ?? ''
    const come = async (who: ClassPerson) => {
      const link = linkOf(who)
      const account = await waitFor(() => signInByLink(link).catch(() => null), 'the server answers again')
      return enter({ url: lectern.url, tag, account, link })
    }
    const assistants = people.filter(({ role }) => role === 'assistant')
    const staff = await joined(people.filter(({ role }) => role !== 'student').map(come))
    const students = await Promise.all(people.filter(({ role }) => role === 'student').map(come))
    await Promise.all(students.map(each => each.enterLobby()))
    const [teacher] = staff as [Member]
    const here = { kind: 'conference_session', id: teacher.session } as const
    await teacher.client.command('lobby.admit', here, {})
    await Promise.all(students.map(each => each.joinAdmitted()))

    const members = [...staff, ...students]
    for (let i = 0; i < FAILURES; i++) {
      const who = 1 + Math.floor(random() * assistants.length)
      members[who]?.leave() // which the server may not notice any more
      await fail(backend)
      members[who] = await come(people[who] as ClassPerson)
      await waitFor(() => members.every(each => each.hasJoined), 'the class is together again')
    }

    const leave = await joinWithMedia({ url: lectern.url, tag, links: assistants.slice(0, 2).map(linkOf) })
    await sleep(RECORDED_MS)
    await teacher.end()
    await fail(backend, 'server')
    leave()

    await received(backend, lesson, events => events.some(({ type }) => type === 'recording.ready'))
    await expectVideo(await backend.videoLink(lesson))
    const before = await expectSame(backend, lesson)
    const types = new Set(before.map(({ type }) => type))
    expect([...types].sort()).toEqual([
      'participant.joined',
      'participant.left',
      'participant.waiting',
      'recording.ready',
      'recording.started',
      'room.ended',
      'room.started',
    ])
    for (const { id, role } of people)
      for (const type of ['joined', 'left', ...(role === 'student' ? ['waiting'] : [])])
        expect(
          before.filter(event => isOf(event, `participant.${type}`, id)),
          `${id} ${type}`,
        ).not.toEqual([])

    await backend.delete(lesson)
    await fail(backend)
    const all = await received(backend, lesson, events => events.at(-1)?.type === 'room.deleted')
    expect(all.slice(0, before.length)).toEqual(before)
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1))
  })
})

const joined = async (members: Promise<Member>[]) =>
  Promise.all((await Promise.all(members)).map(each => each.waitForJoin()))

/** Kills one of them, after a while for a while. */
async function fail(
  backend: SchoolBackend,
  what = (['server', 'database', 'receiver'] as const)[Math.floor(random() * 3)] ?? 'server',
): Promise<void> {
  await sleep(random() * LATEST_FAILURE_MS)
  console.log(`kills the ${what}`)
  if (what === 'server') await lectern.stop('SIGKILL')
  if (what === 'database') await postgres.kill()
  if (what === 'receiver') await backend.kill()
  await sleep(random() * LONGEST_FAILURE_MS)
  if (what === 'server') await lectern.start()
  if (what === 'database') await postgres.start()
  if (what === 'receiver') await backend.start()
}

const received = (
  backend: SchoolBackend,
  lesson: string,
  isComplete: (events: HostedEvent[]) => boolean,
): Promise<HostedEvent[]> =>
  waitFor(
    async () => {
      const events = await backend.events(lesson)
      const isWithoutGaps = events.every(({ sequence }, i) => sequence === i + 1)
      return isWithoutGaps && isComplete(events) ? events : null
    },
    `the backend of ${lesson} has all events`,
    FINISHED_WITHIN_MS,
  )

/** What the backend has is what the server lists, in its order. */
async function expectSame(backend: SchoolBackend, lesson: string): Promise<HostedEvent[]> {
  const listed: HostedEvent[] = []
  for await (const event of lectern.client(account).v2.events())
    if (event.room.external_id === lesson) listed.push(event)
  const has = await received(backend, lesson, events => events.length >= listed.length)
  expect(has).toEqual(listed)
  return has
}

/** Players ask for ranges; the beginning says what it is. Chromium and Firefox play it. */
async function expectVideo(url: string | null): Promise<void> {
  const response = await fetch(url ?? '', { headers: { range: 'bytes=0-63' } })
  expect([response.status, response.headers.get('content-type')]).toEqual([206, 'video/mp4'])
  expect(await response.text()).toContain('ftyp')
  for (const open of browsers) await expectPlays(open, url ?? '')
}

function isOf({ type, data }: HostedEvent, wanted: string, id: string): boolean {
  const { participant } = data as { participant?: { external_id: string | null } }
  return type === wanted && participant?.external_id === id
}
