import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { useLectern } from './support/lectern.ts'
import { becomeGuest, type Member, signInByLink, useMembers } from './support/members.ts'
import { type TcpProxy, useProxies } from './support/proxy.ts'

const GRACE_S = 5
/** More characters than the replay buffer of a stream holds. */
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

/** A teacher, and a student on a separate network. */
async function meet() {
  const people = { teacher: { external_id: 'teacher-7' }, student: { display_name: 'Mia' } }
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom(`room-${++rooms}`, people)
  const network = await makeProxy(lectern.url)
  const [account, guest] = [await signInByLink(teacher_join_url), await becomeGuest(lectern.url)]
  const teacher = await enter({ url: lectern.url, tag, account, link: teacher_join_url }).waitForJoin()
  const student = await enter({ url: network.url, tag, account: guest, link: student_join_url }).waitForJoin()
  return { network, teacher, student }
}

const presenceOf = (member: Member, { id }: Member) =>
  member.view?.participants.find(({ participant_id }) => participant_id === id)?.presence

describe('a participant with a lost connection', () => {
  it('is shown as away, and returns as the same participant', async () => {
    const { network, teacher, student } = await meet()
    network.cut()
    await teacher.waitForView('the student go', () => presenceOf(teacher, student) === 'away')
    network.restore()
    await teacher.waitForView('the student back', () => presenceOf(teacher, student) === 'here')
    await student.waitForView('the same', view => JSON.stringify(view) === JSON.stringify(teacher.view))
    expect(student.joins).toHaveLength(1)
  })

  it('leaves after the grace period, and returns as a new participant', async () => {
    const { network, teacher, student } = await meet()
    const { id, session } = student
    const reasons: unknown[] = []
    teacher.client.onEvent(({ name, body }) => {
      if (name === 'participant.left') reasons.push(body)
    })
    network.cut()
    await teacher.waitForView('the student is lost', ({ participants }) => participants.length === 1)
    expect(reasons).toEqual([{ participant_id: id, reason: 'lost' }])
    network.restore()
    await student.waitForJoin(2)
    expect(student.session).toBe(session)
    expect(student.id).not.toBe(id)
    expect(presenceOf(student, teacher)).toBe('here')
  })

  it('receives all missed chat messages, even more than the server replays', async () => {
    const { network, teacher, student } = await meet()
    network.freeze() // the connection is lost at the end: how long sending takes must not exceed the grace period
    await Promise.all(Array.from({ length: MISSED }, (_, i) => teacher.sendChat(`${i} ${LONG_TEXT}`)))
    reconnect(network)
    const newest = (await teacher.history()).at(-1)?.text
    await teacher.waitForView('the newest', view => view.messages.at(-1)?.text === newest)
    await student.waitForView('the newest', view => view.messages.at(-1)?.text === newest)
    expect(student.view).toEqual(teacher.view)
    expect(student.joins).toHaveLength(1)
    expect(await student.history()).toHaveLength(MISSED)
  })

  it.each(['cut', 'freeze'] as const)('is informed of a removal during the outage (%s)', async how => {
    const { network, teacher, student } = await meet()
    network[how]()
    await teacher.command('participant.remove', { participant_id: student.id })
    reconnect(network)
    await student.waitForView('own removal', ({ participants }) => participants.length === 1)
    expect(student.view?.removed).toHaveLength(1)
    await expect(student.sendChat('Hello?')).rejects.toMatchObject({ reason: 'not_inside' })
    await student.join()
    expect(await student.refused(2)).toBe('removed')
  })

  it.each(['cut', 'freeze'] as const)(
    'is informed that the session ended during the outage (%s)',
    async how => {
      const { network, teacher, student } = await meet()
      network[how]()
      await teacher.end()
      reconnect(network)
      await student.waitForView('the end', ({ ended }) => ended === 'ended')
    },
  )
})

/** Data that was frozen is lost: the server sent it to a connection that no longer exists. */
function reconnect(network: TcpProxy) {
  network.cut()
  network.restore()
}
