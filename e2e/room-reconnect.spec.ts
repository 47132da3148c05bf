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

describe('a room whose connection is lost', () => {
  /** Uses an unreliable network for everything except media. */
  let teacher: Visitor
  let student: Visitor
  let proxy: Awaited<ReturnType<typeof makeProxy>>
  beforeAll(async () => {
    const room = await createHostedRoom(lectern.client(await lectern.addAccount()), 'reconnect', open)
    proxy = await makeProxy(lectern.url)
    teacher = await Visitor.join(await open(room.links.teacher.replace(lectern.url, proxy.url)))
    student = await room.student()
    await Promise.all([teacher.waitForVideo('Mia Andersson'), student.waitForVideo('Anna Petrova')])
  })

  it('shows it while it lasts, keeps the media, mutes at once, and informs the others after the reconnect', async () => {
    const banner = teacher.page.getByText('Connection lost')
    const videoElement = await teacher.video('Mia Andersson').elementHandle()
    await student.waitForSound()
    proxy.cut()
    await banner.waitFor()
    await teacher.waitForVideo('Mia Andersson')
    await teacher.page.keyboard.press('m')
    expect(await teacher.isPressed('Microphone')).toBe(false)
    await waitFor(() => student.isSilent(), 'nothing is audible')
    proxy.restore()
    await banner.waitFor({ state: 'detached' })
    await waitFor(() => student.isMuted('Anna'), 'the muted microphone is seen')
    expect(await teacher.isPressed('Microphone')).toBe(false)
    await teacher.waitForVideo('Mia Andersson')
    const isSame = await teacher
      .video('Mia Andersson')
      .evaluate((now, before) => now === before, videoElement)
    expect(isSame).toBe(true)
  })
})
