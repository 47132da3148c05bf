import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, createConference, fillSignIn, signInAs } from '../../support/accounts.ts'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { useLectern } from '../../support/lectern.ts'
import type { Account } from '../../support/members.ts'
import { field, openChat, openPeople } from '../../support/panels.ts'
import { describeRecoveries, expectRecovery, recordRecovery, resetRecord } from '../../support/recovery.ts'
import { recordJoinedSessions } from '../../support/sessions.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const DRAFT = 'A thought that is not fini'
const ANNA = 'Anna'
const MIA = 'Mia'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
let owner: Credentials
let account: Account
beforeAll(async () => {
  owner = await addUser(lectern, 'anna')
  account = await signInAs(lectern, owner)
})

/** Anna owns the conference. Both raised a hand, Mia first; Anna is muted, has pinned Mia and is typing. */
async function begin() {
  const { link } = await createConference(lectern, account, 'Monday round')
  const [annaTab, miaTab] = [await open('about:blank'), await open('about:blank')]
  const sessions = [recordJoinedSessions(annaTab.page), recordJoinedSessions(miaTab.page)]
  await annaTab.page.goto(link)
  await annaTab.page.getByRole('button', { name: 'Sign in' }).click()
  await fillSignIn(annaTab.page, owner)
  await miaTab.page.goto(link)
  const anna = await Visitor.join(annaTab)
  const mia = await Visitor.join(miaTab, { name: MIA })
  await Promise.all([anna.waitForVideo(MIA), mia.waitForVideo(ANNA)])

  await mia.page.keyboard.press('h')
  await waitFor(() => mia.isPressed('Raise hand'), 'the hand of Mia is up')
  await anna.page.keyboard.press('h')
  await waitFor(() => anna.isPressed('Raise hand'), 'the hand of Anna is up')
  await anna.page.keyboard.press('m')
  await anna.page.keyboard.press('g')
  await pin(anna).click()
  await openChat(anna.page)
  await field(anna.page).fill(DRAFT)
  await openPeople(mia.page)
  await recordRecovery(anna, MIA)
  await recordRecovery(mia, ANNA)
  return { anna, mia, sessions }
}

type Meeting = Awaited<ReturnType<typeof begin>>

const pin = ({ page }: Visitor) => page.getByRole('button', { name: `Pin ${MIA}` })

/** Expects the choices of both participants to be unchanged. */
async function expectAllAsBefore({ anna, mia, sessions }: Meeting) {
  for (const { isPressed } of [anna, mia]) expect(await isPressed('Raise hand')).toBe(true)
  expect(await mia.page.locator('aside ul p > bdi').allInnerTexts()).toEqual([`${MIA} (you)`, ANNA])
  expect(await anna.isPressed('Microphone')).toBe(false)
  expect(await mia.isPressed('Microphone')).toBe(true)
  expect(await mia.isMuted(ANNA)).toBe(true)
  expect(await anna.isMuted(MIA)).toBe(false)
  expect(await pin(anna).getAttribute('aria-pressed')).toBe('true')
  expect(await anna.page.getByRole('button', { name: 'View' }).getAttribute('aria-description')).toBe(
    'Speaker',
  )
  expect(await field(anna.page).inputValue()).toBe(DRAFT)
  for (const { tiles } of [anna, mia])
    for (const name of [ANNA, MIA]) expect(await tiles(name).count()).toBe(1)
  expect(new Set(sessions.flat()).size).toBe(1)
}

let startMs = 0

describe('a meeting whose server is killed', () => {
  let meeting: Meeting
  beforeAll(async () => {
    meeting = await begin()
  })
  afterAll(() => Promise.all([meeting.anna, meeting.mia].map(({ page }) => page.context().close())))

  it.each([2, 5, 9, 20])('is fully restored when the server is back after %i s', async seconds => {
    const { anna, mia } = meeting
    await Promise.all([resetRecord(anna), resetRecord(mia)])
    const downAtMs = Date.now()
    await lectern.stop(seconds === 5 ? 'SIGTERM' : 'SIGKILL')
    await sleep(Math.max(0, seconds * 1_000 - startMs - (Date.now() - downAtMs)))
    const startedAtMs = Date.now()
    await lectern.start()
    const backAtMs = Date.now()
    startMs = backAtMs - startedAtMs
    const [ofAnna, ofMia] = await Promise.all([expectRecovery(anna, backAtMs), expectRecovery(mia, backAtMs)])
    console.log(`Down for ${backAtMs - downAtMs} ms; ${describeRecoveries(ofAnna, ofMia)}`)
    await expectAllAsBefore(meeting)
    await anna.waitForSound()
  })
})
