import { join } from 'node:path'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { makeTempFolder } from './support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { createHostedRoom } from './support/rooms.ts'
import { writeVoice } from './support/synthetic-voice.ts'
import type { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2',
}))
const voice = writeVoice(join(makeTempFolder('voice'), 'voice.wav'))
const open = useBrowser([...FAKE_DEVICES, `--use-file-for-fake-audio-capture=${voice}`])
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})
const makeRoom = () => createHostedRoom(partner, `room-${++rooms}`, open)

const speaking = ({ page }: Visitor, name: string) =>
  page.locator('[data-speaking]').filter({ hasText: name }).waitFor()

const placesOf = ({ page }: Visitor) =>
  page.locator('[data-tile]').evaluateAll(tiles => tiles.map(tile => tile.getAttribute('style')))

/** The video elements, for a later comparison. */
const picturesOf = ({ page }: Visitor) => page.evaluateHandle(() => [...document.querySelectorAll('video')])

/** Expects the same elements at the same position of the document, all playing. */
const areTheSame = ({ page }: Visitor, before: Awaited<ReturnType<typeof picturesOf>>) =>
  page.evaluate(old => {
    const now = [...document.querySelectorAll('video')]
    return now.length === old.length && now.every((video, at) => video === old[at] && !video.paused)
  }, before)

const isLarge = async (visitor: Visitor, name: string) =>
  (await visitor.stageShare(visitor.tiles(name))) > 0.6

describe('the stage', () => {
  it('highlights the speaker without moving anybody while there are two participants', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    const student = await room.student()
    await teacher.waitForVideo('Mia Andersson')
    await student.page.keyboard.press('m')
    await speaking(teacher, 'Anna')
    const before = await placesOf(teacher)
    await student.page.keyboard.press('m')
    await teacher.page.keyboard.press('m')
    await speaking(teacher, 'Mia')
    await teacher.page.waitForTimeout(2_000)
    expect(await placesOf(teacher)).toEqual(before)
  })

  it('shows the active speaker large from three participants on, or the pinned participant', async () => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    const student = await room.student()
    const guest = await room.guest('Sam')
    await Promise.all([teacher.waitForVideo('Mia Andersson'), teacher.waitForVideo('Sam')])
    const pictures = await picturesOf(teacher)
    await teacher.page.keyboard.press('m')
    await student.page.keyboard.press('m')
    await waitFor(() => isLarge(teacher, 'Sam'), 'Sam has the floor')
    await student.page.keyboard.press('m')
    await guest.page.keyboard.press('m')
    await speaking(teacher, 'Mia')
    const since = Date.now()
    await waitFor(() => isLarge(teacher, 'Mia'), 'Mia has the floor')
    console.log(`The speaker is shown large ${Date.now() - since} ms after the highlight`)

    const pin = teacher.page.getByRole('button', { name: 'Pin Sam' })
    await pin.focus()
    await teacher.page.keyboard.press('Enter')
    await waitFor(() => isLarge(teacher, 'Sam'), 'Sam is pinned')
    await expect.poll(() => pin.getAttribute('aria-pressed')).toBe('true')
    expect(await areTheSame(teacher, pictures)).toBe(true)
    await pin.press('Enter')
    await waitFor(() => isLarge(teacher, 'Mia'), 'Mia is back')
  })

  it.each([
    ['the screen', false],
    ['the window, if the browser denies full screen', true],
  ])('takes %s without a stop, and with the open chat', async (_, isRefused) => {
    const room = await makeRoom()
    const teacher = await room.teacher()
    const student = await room.student()
    await student.waitForVideo('Anna Petrova')
    const { page } = student
    if (isRefused) await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'requestFullscreen'))
    await student.button('Chat').click()
    await page.getByRole('textbox').fill('Half a sente')
    const pictures = await picturesOf(student)
    const [stage] = await placesOf(student)

    await student.button('Full screen').click()
    await waitFor(async () => (await placesOf(student))[0] !== stage, 'the room grows')
    expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(!isRefused)
    await expect.poll(() => student.isPressed('Full screen')).toBe(true)
    expect(await areTheSame(student, pictures)).toBe(true)
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('Half a sente')
    await student.waitForVideo('Anna Petrova')

    await student.button('Full screen').click()
    await waitFor(async () => (await placesOf(student))[0] === stage, 'the room has its former size')
    expect(await areTheSame(student, pictures)).toBe(true)
    await teacher.waitForVideo('Mia Andersson')
  })
})
