import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useLectern } from '../../support/lectern.ts'
import { becomeGuest, type Member, signInByLink, useMembers } from '../../support/members.ts'
import { type TcpProxy, useProxies } from '../../support/proxy.ts'
import { HANGS_AFTER_MS, waitFor } from '../../support/wait.ts'

const SPEAK_EVERY_MS = 400
/** The client probes a silent server after this time at the latest, and disconnects after twice the time, well within the longest freeze. */
const SILENCE_MS = 6_000
const FLAPPING_NETWORKS = 4
const FLAPS_FOR_MS = 8_000
const SHORT_GRACE_S = 2
const KILLS = 2
const LATEST_KILL_MS = 1_500

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const hasty = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: String(SHORT_GRACE_S),
}))
const enter = useMembers()
const makeProxy = useProxies()
let partner: PartnerClient
let hastyPartner: PartnerClient
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
  hastyPartner = hasty.client(await hasty.addAccount())
})

const LOSSES = [1, 5, 20].flatMap(seconds => [
  { how: 'cut' as const, seconds },
  { how: 'freeze' as const, seconds },
])

describe('two participants who chat continuously', () => {
  it('keep their participation and every message during network outages of 1, 5 and 20 s', async () => {
    const stories = LOSSES.map(async ({ how, seconds }) => {
      const story = await begin(partner, lectern.url, `${how}-${seconds}`)
      await sleep(1_500)
      story.proxy[how]()
      await sleep(seconds * 1000)
      story.proxy.restore()
      await sleep(1_500)
      await story.expectConsistency()
      expectTheSamePlaces(story.members)
      if (how === 'cut' || seconds * 1000 > 2 * SILENCE_MS)
        expect(story.members.every(({ incarnation }) => incarnation > 1)).toBe(true)
    })
    await Promise.all(stories)
  })

  it('keep them while the network fails at random moments', async () => {
    const seed = testSeed()
    const stories = Array.from({ length: FLAPPING_NETWORKS }, async (_, index) => {
      const random = seededRandom(seed + index)
      const story = await begin(partner, lectern.url, `flapping-${index}`)
      for (const end = Date.now() + FLAPS_FOR_MS; Date.now() < end; ) {
        await sleep(random() * 500)
        if (random() < 0.7) story.proxy.cut()
        else story.proxy.freeze()
        await sleep(random() * 200)
        story.proxy.restore()
        for (const { client } of story.members) client.online()
      }
      await story.expectConsistency()
      expectTheSamePlaces(story.members)
    })
    await Promise.all(stories)
  })

  it('continue in the same session with its lock and chat mode after the server was killed', async () => {
    const random = seededRandom(testSeed())
    const story = await begin(partner, lectern.url, 'killed')
    const [teacher, student] = story.members
    const { session } = teacher
    await teacher.lock(true)
    for (let kill = 1; kill <= KILLS; kill++) {
      await sleep(random() * LATEST_KILL_MS)
      await restart(lectern)
      await backInside(story.members, 1 + kill)
      expect(story.members.map(member => member.session)).toEqual([session, session])
      expect(student.view).toMatchObject({ locked: true, chat_mode: 'open' })
    }
    await story.stopTalking()
    await teacher.command('chat.set_mode', { mode: 'read_only' })
    await restart(lectern)
    await backInside(story.members, 1 + KILLS + 1)
    expect(student.view).toMatchObject({ locked: true, chat_mode: 'read_only' })
    await story.expectConsistency()
  })

  it('start a new session when they return after the grace period', async () => {
    const story = await begin(hastyPartner, hasty.url, 'late')
    const { session } = story.members[0]
    await sleep(500)
    story.proxy.cut()
    await story.stopTalking()
    await restart(hasty)
    await sleep((SHORT_GRACE_S + 2) * 1000)
    expect(await hastyPartner.roomStatus('late')).toMatchObject({ live: false })
    story.proxy.restore()
    await backInside(story.members, 2)
    const [teacher, student] = story.members
    expect(teacher.session).not.toBe(session)
    expect(student.session).toBe(teacher.session)
    expect(await student.history()).toEqual([])
  })
})

interface Story {
  proxy: TcpProxy
  members: [teacher: Member, student: Member]
  /** Stops sending messages. */
  stopTalking(): Promise<void>
  /** Expects every message exactly once, and the same view for all participants, including a new one. */
  expectConsistency(): Promise<void>
}

/** A teacher and a student in a separate room on one unreliable network. They send messages without awaiting answers. */
async function begin(partner: PartnerClient, url: string, name: string): Promise<Story> {
  const people = { teacher: { external_id: `teacher-${name}` }, student: { display_name: 'Mia' } }
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom(name, people)
  const proxy = await makeProxy(url)
  const way = { url: proxy.url, tag, silenceMs: SILENCE_MS }
  const account = await signInByLink(teacher_join_url)
  const members: Story['members'] = [
    await enter({ ...way, account, link: teacher_join_url }).waitForJoin(),
    await enter({ ...way, account: await becomeGuest(url), link: student_join_url }).waitForJoin(),
  ]
  let isOver = false
  const sent: { text: string; answer: Promise<unknown> }[] = []
  const talk = async (member: Member, author: string) => {
    for (let step = 1; !isOver; step++) {
      const text = `${name}: ${author} ${step}`
      const answer = member.sendChat(text)
      answer.catch(() => {}) // awaited later
      sent.push({ text, answer })
      await sleep(SPEAK_EVERY_MS)
    }
  }
  const talking = Promise.all([talk(members[0], 'teacher'), talk(members[1], 'student')])
  const stopTalking = async () => {
    isOver = true
    await talking
  }
  const expectConsistency = async () => {
    await stopTalking()
    await Promise.all(sent.map(({ answer }) => answer))
    const fresh = await enter({ url, tag, account, link: teacher_join_url }).waitForJoin()
    await expectTheSame([...members, fresh])
    const history = await fresh.history()
    expect(history.map(({ text }) => text).sort()).toEqual(sent.map(({ text }) => text).sort())
    expect(fresh.view?.messages).toEqual(history.slice(-100))
  }
  return { proxy, members, stopTalking, expectConsistency }
}

/** Nobody had to join again. */
function expectTheSamePlaces(members: Member[]): void {
  expect(members.map(({ joins }) => joins.length)).toEqual(members.map(() => 1))
  const present = members[0]?.view?.participants.map(({ participant_id }) => participant_id)
  expect(present).toEqual(expect.arrayContaining(members.map(({ id }) => id)))
}

/** Waits while the last events are on their way: each of the members gets them at another time. */
async function expectTheSame(members: Member[]): Promise<void> {
  const everybody = members.map(({ id }) => id).sort()
  for (const member of members)
    await member.waitForView('everybody is here', ({ participants }) => {
      const here = participants.filter(({ presence }) => presence === 'here')
      return String(here.map(({ participant_id }) => participant_id).sort()) === String(everybody)
    })
  await vi.waitFor(
    () => {
      const [first, ...others] = members.map(({ view }) => view)
      for (const view of others) expect(view).toEqual(first)
    },
    { timeout: HANGS_AFTER_MS },
  )
}

async function backInside(members: Member[], join: number): Promise<void> {
  await Promise.all(members.map(member => member.waitForJoin(join)))
  await waitFor(
    () => members.every(({ view }) => view?.participants.length === members.length),
    'all are back',
  )
}

async function restart(service: typeof lectern): Promise<void> {
  await service.stop('SIGKILL')
  await service.start()
}
