import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { useProxies } from './support/proxy.ts'
import { createHostedRoom } from './support/rooms.ts'
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

/** The teacher uses an unreliable network for everything except media. */
async function makeLesson() {
  const room = await createHostedRoom(partner, `room-${++rooms}`, open)
  const proxy = await makeProxy(lectern.url)
  const teacher = await Visitor.join(await open(room.links.teacher.replace(lectern.url, proxy.url)))
  const student = await room.student()
  await Promise.all([teacher.waitForVideo('Mia Andersson'), student.waitForVideo('Anna Petrova')])
  return { proxy, teacher, student }
}

const banner = ({ page }: Visitor) => page.getByText('Connection lost')

describe('a room whose connection is lost', () => {
  it('shows its connection state while it lasts, and participants still see each other', async () => {
    const { proxy, teacher } = await makeLesson()
    const videoElement = await teacher.video('Mia Andersson').elementHandle()
    proxy.cut()
    await banner(teacher).waitFor()
    await teacher.waitForVideo('Mia Andersson')
    proxy.restore()
    await banner(teacher).waitFor({ state: 'detached' })
    await teacher.waitForVideo('Mia Andersson')
    const isSame = await teacher
      .video('Mia Andersson')
      .evaluate((now, before) => now === before, videoElement)
    expect(isSame).toBe(true)
  })

  it('mutes immediately, and informs the others after the reconnect', async () => {
    const { proxy, teacher, student } = await makeLesson()
    await student.waitForSound()
    proxy.cut()
    await banner(teacher).waitFor()
    await teacher.page.keyboard.press('m')
    expect(await teacher.isPressed('Microphone')).toBe(false)
    await waitFor(() => student.isSilent(), 'nothing is audible')
    proxy.restore()
    await waitFor(() => student.isMuted('Anna'), 'the muted microphone is seen')
    expect(await teacher.isPressed('Microphone')).toBe(false)
  })
})
