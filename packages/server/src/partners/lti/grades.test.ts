import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { enterLink } from '../../testing/partner.ts'
import { openTestCalls } from '../v2/testing.ts'
import { openLti, type TestLti } from './testing/lti.ts'

let lti: TestLti
let calls: Awaited<ReturnType<typeof openTestCalls>>
beforeAll(async () => {
  lti = await openLti()
  await lti.register()
  calls = await openTestCalls(lti.server)
})
afterAll(async () => {
  await calls.close()
  await lti.close()
})

const MINUTE = 60_000
const anna = { sub: 'u1', name: 'Anna', role: 'Instructor' } as const
const ben = { sub: 'u2', name: 'Ben', role: 'Learner' } as const

/** The account of a person who has launched the room. */
async function userOf(person: typeof anna | typeof ben): Promise<number> {
  lti.platform.launchAs(person)
  return (await enterLink(lti.server.call, (await lti.launch()).location)).body.user_id
}

/** The newest score of each person. */
const scores = () =>
  Object.fromEntries(lti.platform.scores.map(({ body }) => [body.userId, body.scoreGiven] as const))

describe('attendance', () => {
  it('is reported as the part of the lesson in which the student was inside, also of those who never came', async () => {
    lti.platform.members.push(
      { user_id: 'u1', name: 'Anna', roles: ['Instructor'] },
      { user_id: '', name: 'Nobody', roles: ['Learner'] },
      { name: 'Without an id', roles: ['Learner'] },
      { user_id: 'u3', name: 'Cleo', given_name: null, status: null, roles: ['Learner'] },
      { user_id: 'u4', name: 'Gone', status: 'Inactive', roles: ['Learner'] },
      { user_id: 'x'.repeat(300), name: 'Too long', roles: ['Learner'] },
      { user_id: 'y'.repeat(255), name: 'Long', roles: ['Learner'] },
    )
    const [teacher, student] = [await userOf(anna), await userOf(ben)]
    lti.platform.launchAs(anna)
    const { tag } = await lti.resolve((await lti.launch()).location)
    // An outage of the platform delays the grades.
    lti.platform.failScores(503)
    const begun = Date.now() - 60 * MINUTE
    const lease = await calls.start(tag, begun)
    const inside = await calls.join(lease, student, 'Ben', begun)
    await calls.attendance.joined(lease, {
      participantId: 'teacher',
      userId: teacher,
      displayName: 'Anna',
      role: 'moderator',
      joinedAtMs: begun + 10 * MINUTE,
    } as never)
    await calls.leave(inside, begun + 30 * MINUTE)
    await calls.leave('teacher', begun + 50 * MINUTE)
    await vi.waitFor(
      async () => expect(await peopleOf(tag)).toEqual(expect.arrayContaining(['Cleo', 'Long'])),
      { timeout: 10_000 },
    )
    await calls.end(lease, begun + 51 * MINUTE)
    await vi.waitFor(() => expect(lti.platform.refusedScores()).toBeGreaterThan(0), { timeout: 20_000 })
    lti.platform.failScores(200)
    lti.server.advance(60_000)
    await vi.waitFor(() => expect(scores()).toEqual({ u2: 50, u3: 0, ['y'.repeat(255)]: 0 }), {
      timeout: 20_000,
    })
    expect(lti.platform.scores[0]?.path).toBe('/items/1/scores?type_id=5')
    expect(lti.platform.scores[0]?.body).toMatchObject({
      scoreMaximum: 100,
      activityProgress: 'Completed',
      gradingProgress: 'FullyGraded',
    })
  })
})

it('of a room that cannot be graded is tried again, and holds up no other room', async () => {
  const link = (id: string) => ({
    'https://purl.imsglobal.org/spec/lti/claim/resource_link': { id, title: id },
  })
  const reported = lti.platform.scores.length
  const tags: string[] = []
  for (const id of ['good-1', 'broken', 'good-2']) {
    lti.platform.launchAs({ sub: `of-${id}`, name: id, role: 'Learner' }, link(id))
    tags.push((await lti.resolve((await lti.launch()).location)).tag)
  }
  const broken = tags[1] as string
  const metadata = (text: string) =>
    calls.db.updateTable('partner_people').set({ metadata: text }).where('tag', '=', broken).execute()
  await metadata('{')
  for (const tag of tags) await calls.end(await calls.start(tag, Date.now() - MINUTE), Date.now())
  const users = () => lti.platform.scores.slice(reported).map(({ body }) => body.userId)
  const arrived = (...expected: string[]) =>
    vi.waitFor(() => expect(users()).toEqual(expect.arrayContaining(expected)), { timeout: 20_000 })
  await arrived('of-good-1', 'of-good-2')
  await vi.waitFor(() => expect(lti.server.log()).toContain('the attendance of a room could not be reported'))
  expect(users()).not.toContain('of-broken')
  await metadata('{}')
  lti.server.advance(61_000)
  await arrived('of-broken')
})

it('members of a course that is larger than a room take no places of those who come', async () => {
  const learner = (_: unknown, i: number) => ({ user_id: `m${i}`, name: `M ${i}`, roles: ['Learner'] })
  lti.platform.members.splice(0, Number.POSITIVE_INFINITY, ...Array.from({ length: 600 }, learner))
  lti.platform.setPageSize(40)
  const link = {
    'https://purl.imsglobal.org/spec/lti/claim/resource_link': { id: 'lecture', title: 'Lecture' },
  }
  lti.platform.launchAs(anna, link)
  const { tag } = await lti.resolve((await lti.launch()).location)
  const isRead = () => expect(lti.server.log()).toContain('a course is larger than a room')
  await vi.waitFor(isRead, { timeout: 60_000 })
  lti.platform.launchAs({ sub: 'm499', name: 'Zoe', role: 'Learner' }, link)
  await lti.launch()
  expect((await peopleOf(tag)).sort()).toEqual(['Anna', 'Zoe'])
})

async function peopleOf(tag: string): Promise<string[]> {
  const list = await lti.server.call('GET', '/api/v2/integration/rooms', { token: lti.school.token })
  const room = list.body.rooms.find((each: { tag: string }) => each.tag === tag)
  const path = `/api/v2/integration/rooms/${room.external_id}/people`
  const { body } = await lti.server.call('GET', path, { token: lti.school.token })
  return body.people.map((each: { display_name: string }) => each.display_name)
}
