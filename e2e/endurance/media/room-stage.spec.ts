import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { makeTempFolder } from '../../support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { writeVoice } from '../../support/synthetic-voice.ts'
import type { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
const voice = writeVoice(join(makeTempFolder('voice'), 'voice.wav'))
const open = useBrowser([...FAKE_DEVICES, `--use-file-for-fake-audio-capture=${voice}`])
let room: Awaited<ReturnType<typeof createHostedRoom>>
beforeAll(async () => {
  room = await createHostedRoom(lectern.client(await lectern.addAccount()), 'stage', open)
})

const speaking = ({ page }: Visitor, name: string) =>
  page.locator('[data-speaking]').filter({ hasText: name }).waitFor()

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
  it('highlights the speaker, and shows them large from three participants on, or the pinned participant', async () => {
    const teacher = await room.teacher()
    const student = await room.student()
    await teacher.waitForVideo('Mia Andersson')
    await speaking(teacher, 'Mia')
    const guest = await room.guest('Sam')
    await teacher.waitForVideo('Sam')
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
    await pin.press('Enter')
    await waitFor(() => isLarge(teacher, 'Sam'), 'Sam is pinned')
    await expect.poll(() => pin.getAttribute('aria-pressed')).toBe('true')
    expect(await areTheSame(teacher, pictures)).toBe(true)
    await pin.press('Enter')
    await waitFor(() => isLarge(teacher, 'Mia'), 'Mia is back')
  })
})
