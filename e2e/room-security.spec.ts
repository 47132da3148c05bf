import type { PartnerClient } from '@lectern/partner'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { FrameForger } from './support/frame-forger.ts'
import { useLectern } from './support/lectern.ts'
import { LESSON, resolveLink, tokenOf } from './support/links.ts'
import { signInByLink, useMembers } from './support/members.ts'
import { createHostedRoom } from './support/rooms.ts'
import { Visitor } from './support/visitor.ts'

const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_SERVER_LOG_LEVEL: 'trace',
}))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const openBare = useBrowser()
const enter = useMembers()
let partner: PartnerClient
let lesson: Awaited<ReturnType<typeof createHostedRoom>>
let links: { teacher: string; student: string }
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
  lesson = await createHostedRoom(partner, 'secure', open)
  ;({ links } = lesson)
})
const WITHOUT = { withoutDevices: true }

const ANNA = 'Anna Petrova'

describe('beside a teacher', () => {
  let anna: Visitor
  beforeAll(async () => {
    anna = await lesson.teacher()
  })
  // Its camera runs for what is above only.
  afterAll(() => anna?.page.close())

  it('a student keeps the student role, whatever is in the URL, the storage, the history and the frames of the page', async () => {
    const tab = await openBare('about:blank')
    const forgery = await FrameForger.attach(tab.page)
    await tab.page.goto(`${links.student}?role=teacher&role=moderator&is_moderator=1#role=teacher`)
    await tab.page.getByRole('button', { name: 'Join' }).waitFor()
    await tab.page.evaluate(pretend)
    await tab.page.reload()
    const mia = await Visitor.join(tab, WITHOUT)
    await expectPowerless(mia)
    expect(await anna.exitOptions.count()).toBe(1)
    await mia.waitForVideo(ANNA)
    const { conference: room, session, victim } = forgery
    const { participant: participant_id, publication: publication_id } = victim
    const acts = [
      [room, 'conference.set_lock', { locked: true }],
      [room, 'conference.end', {}],
      [session, 'chat.set_mode', { mode: 'read_only' }],
      [room, 'conference.set_permissions', { camera: false }],
      [room, 'conference.set_spotlight', { user_id: null }],
      [session, 'participant.set_permissions', { user_id: '1', chat: false }],
      [session, 'participant.lower_hands', {}],
      [session, 'participant.remove', { participant_id }],
      [session, 'participant.mute', { participant_id, source: 'audio' }],
      [session, 'participant.mute', { source: 'audio' }],
      [session, 'participant.update', { participant_id, hand_raised: true }],
      [session, 'participant.update', { participant_id, display_name: 'Nobody' }],
      [session, 'participant.readmit', { user_id: '1' }],
      [session, 'media.pause', { publication_id }],
      [session, 'media.close', { publication_id }],
      [session, 'participant.update', { role: 'moderator' }],
      [room, 'conference.join', { role: 'moderator' }],
      [{ ...room, role: 'moderator' }, 'conference.join', {}],
    ] as const
    for (const [target, name, body] of acts) {
      const { status, error } = await forgery.command(target, name, body)
      expect({ name, status }).toEqual({ name, status: 'rejected' })
      expect(['permission_denied', 'invalid_argument']).toContain(error?.code)
    }
    await mia.waitForVideo(ANNA)
    expect(await Promise.all([anna.isPressed('Microphone'), anna.isPressed('Camera')])).toEqual([true, true])
    expect(await mia.exitOptions.count()).toBe(0)
  })
})

describe('a student', () => {
  it('is rejected with a modified token', async () => {
    const token = tokenOf(links.student)
    const answers = await Promise.all(
      [...token].map((letter, at) => {
        const changed = token.slice(0, at) + (letter === 'A' ? 'B' : 'A') + token.slice(at + 1)
        return resolveLink(links.student.replace(token, changed))
      }),
    )
    expect(new Set(answers.map(({ result }) => result))).toEqual(new Set([401]))

    const tab = await openBare(links.student)
    await tab.page.getByRole('button', { name: 'Join' }).waitFor()
    const other = (await partner.createRoom('other', LESSON)).teacher_join_url
    // The tab reads the token from its session storage, which the user can modify.
    await tab.page.evaluate(forged => {
      for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, forged)
    }, tokenOf(other))
    await tab.page.getByRole('button', { name: 'Join' }).click()
    await tab.page.getByRole('heading', { level: 1, name: 'You could not join' }).waitFor()
  })

  it('gains nothing from the teacher link of another room', async () => {
    const [here, there] = [
      await partner.createRoom('here', LESSON),
      await partner.createRoom('there', LESSON),
    ]
    const account = await signInByLink(there.teacher_join_url)
    const member = enter({ url: lectern.url, tag: here.tag, account, link: there.teacher_join_url })
    // Exactly what the plain link grants.
    expect(await member.refused()).toBe('approval')
    await expect(member.lock(true)).rejects.toThrow()
  })
})

describe('the secrets of a visit', () => {
  it('appear in no URL but those of the documented API, and not in the server log', async () => {
    const room = await partner.createRoom('secret', LESSON)
    const visited = [room.teacher_join_url, room.student_join_url]
    const secrets = new Set(visited.map(tokenOf))
    const addresses: string[] = []
    for (const link of visited) {
      const tab = await openBare('about:blank')
      tab.page.on('websocket', socket => addresses.push(socket.url()))
      tab.page.on('response', async response => {
        const body = await response.text().catch(() => '')
        for (const [, , secret] of body.matchAll(/"(access|refresh)_token":"([^"]+)"/g))
          if (secret) secrets.add(secret)
      })
      await tab.page.goto(link)
      const visitor = await Visitor.join(tab, WITHOUT)
      await visitor.button('Leave').click()
      await tab.page.getByRole('heading', { name: 'You left the lesson' }).waitFor()
      const allowed = [link, link.replace('/j/', '/api/v1/integration/join/')]
      addresses.push(...tab.requests.map(({ url }) => url).filter(url => !allowed.includes(url)))
    }
    expect(secrets.size).toBe(6) // two links, and two people with two tokens each
    expect(addresses.length).toBeGreaterThan(6)
    for (const secret of secrets) {
      expect(addresses.filter(address => address.includes(secret))).toEqual([])
      expect(lectern.log).not.toContain(secret)
    }
    expect(lectern.log).toContain('/j/')
  })
})

/** Expects no moderator controls and an unlocked room. */
async function expectPowerless({ page, button, exitOptions }: Visitor) {
  expect(await exitOptions.count()).toBe(0)
  await button(/^Participants/).click()
  await page.locator('aside').getByText(ANNA).waitFor()
  expect(await page.getByRole('button', { name: /^(Remove|Mute) |’s hand$/ }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Manage/ }).count()).toBe(0)
}

/** Runs in the page: writes a higher role to all storage of the page. */
async function pretend() {
  const lies = {
    role: 'teacher',
    moderator: '1',
    'lectern.role': 'moderator',
    'lectern.guest.role': 'teacher',
  }
  for (const [key, lie] of Object.entries(lies)) {
    sessionStorage.setItem(key, lie)
    localStorage.setItem(key, lie)
    await cookieStore.set(key, lie)
  }
  history.replaceState({ role: 'teacher' }, '', location.href)
}
