import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { useProxies } from './support/proxy.ts'
import { makeHostedRoom } from './support/rooms.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES)
const makeProxy = useProxies()
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

/** The teacher comes through a network that can go bad, for everything but the media. */
async function makeLesson() {
  const room = await makeHostedRoom(partner, `room-${++rooms}`, open)
  const proxy = await makeProxy(lectern.url)
  const teacher = await Visitor.join(await open(room.links.teacher.replace(lectern.url, proxy.url)))
  const student = await room.student()
  await Promise.all([teacher.sees('Mia Andersson'), student.sees('Anna Petrova')])
  return { proxy, teacher, student }
}

const banner = ({ page }: Visitor) => page.getByText('Connection lost')

describe('a room whose connection is lost', () => {
  it('says what happens, and that only as long as it is so, while people go on to see each other', async () => {
    const { proxy, teacher } = await makeLesson()
    const picture = await teacher.video('Mia Andersson').elementHandle()
    proxy.cut()
    await banner(teacher).waitFor()
    await teacher.sees('Mia Andersson')
    proxy.heal()
    await banner(teacher).waitFor({ state: 'detached' })
    await teacher.sees('Mia Andersson')
    const isSame = await teacher.video('Mia Andersson').evaluate((now, before) => now === before, picture)
    expect(isSame).toBe(true)
  })

  it('mutes at once, and tells the others when it is back', async () => {
    const { proxy, teacher, student } = await makeLesson()
    await student.hears()
    proxy.cut()
    await banner(teacher).waitFor()
    await teacher.page.keyboard.press('m')
    expect(await teacher.isPressed('Microphone')).toBe(false)
    await waitFor(() => student.hearsNothing(), 'nothing is heard')
    proxy.heal()
    await waitFor(() => student.isMuted('Anna'), 'the muted microphone is seen')
    expect(await teacher.isPressed('Microphone')).toBe(false)
  })
})
