import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { useLectern } from './support/lectern.ts'
import { becomeGuest, type Member, signInByLink, useMembers } from './support/members.ts'
import { type TcpProxy, useProxies } from './support/proxy.ts'

const GRACE_S = 5
/** More characters than the server keeps of a stream. */
const MISSED = 300
const LONG_TEXT = 'x'.repeat(3_990)

const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: String(GRACE_S),
}))
const enter = useMembers()
const makeProxy = useProxies()
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

/** A teacher, and a student on a network of their own. */
async function meet() {
  const people = { teacher: { external_id: 'teacher-7' }, student: { display_name: 'Mia' } }
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom(`room-${++rooms}`, people)
  const network = await makeProxy(lectern.url)
  const [account, guest] = [await signInByLink(teacher_join_url), await becomeGuest(lectern.url)]
  const teacher = await enter({ url: lectern.url, tag, account, link: teacher_join_url }).inside()
  const student = await enter({ url: network.url, tag, account: guest, link: student_join_url }).inside()
  return { network, teacher, student }
}

const presenceOf = (member: Member, { id }: Member) =>
  member.view?.participants.find(({ participant_id }) => participant_id === id)?.presence

describe('who was away', () => {
  it('was seen to be, and comes back as the same participant', async () => {
    const { network, teacher, student } = await meet()
    network.cut()
    await teacher.sees('the student go', () => presenceOf(teacher, student) === 'away')
    network.heal()
    await teacher.sees('the student back', () => presenceOf(teacher, student) === 'here')
    await student.sees('the same', view => JSON.stringify(view) === JSON.stringify(teacher.view))
    expect(student.joins).toHaveLength(1)
  })

  it('is lost after the grace time, and comes back as another participant', async () => {
    const { network, teacher, student } = await meet()
    const { id, session } = student
    const reasons: unknown[] = []
    teacher.client.onEvent(({ name, body }) => {
      if (name === 'participant.left') reasons.push(body)
    })
    network.cut()
    await teacher.sees('the student is lost', ({ participants }) => participants.length === 1)
    expect(reasons).toEqual([{ participant_id: id, reason: 'lost' }])
    network.heal()
    await student.inside(2)
    expect(student.session).toBe(session)
    expect(student.id).not.toBe(id)
    expect(presenceOf(student, teacher)).toBe('here')
  })

  it('sees all that was said, also more than the server replays', async () => {
    const { network, teacher, student } = await meet()
    network.cut()
    await Promise.all(Array.from({ length: MISSED }, (_, i) => teacher.say(`${i} ${LONG_TEXT}`)))
    network.heal()
    const newest = (await teacher.history()).at(-1)?.text
    await teacher.sees('the newest', view => view.messages.at(-1)?.text === newest)
    await student.sees('the newest', view => view.messages.at(-1)?.text === newest)
    expect(student.view).toEqual(teacher.view)
    expect(student.joins).toHaveLength(1)
    expect(await student.history()).toHaveLength(MISSED)
  })

  it.each(['cut', 'freeze'] as const)('learns of having been removed meanwhile (%s)', async how => {
    const { network, teacher, student } = await meet()
    network[how]()
    await teacher.do('participant.remove', { participant_id: student.id })
    comeBack(network)
    await student.sees('own removal', ({ participants }) => participants.length === 1)
    expect(student.view?.removed).toHaveLength(1)
    await expect(student.say('Hello?')).rejects.toMatchObject({ reason: 'not_inside' })
    await student.join()
    expect(await student.refused(2)).toBe('removed')
  })

  it.each(['cut', 'freeze'] as const)('learns that the session has ended meanwhile (%s)', async how => {
    const { network, teacher, student } = await meet()
    network[how]()
    await teacher.end()
    comeBack(network)
    await student.sees('the end', ({ ended }) => ended === 'ended')
  })
})

/** What was frozen is not heard any more: the server has told it to a connection that is no more. */
function comeBack(network: TcpProxy) {
  network.cut()
  network.heal()
}
