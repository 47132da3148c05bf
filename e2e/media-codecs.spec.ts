import { join } from 'node:path'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, LARGE_FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { arrives, arriving, type Codec, joinMeasured } from './support/media.ts'
import { makeHostedRoom } from './support/rooms.ts'
import type { Visitor } from './support/visitor.ts'
import { writeSilence, writeVoice } from './support/voice.ts'
import { waitFor } from './support/wait.ts'

const makeFolder = useFolders()
const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2',
}))
const open = useBrowser(FAKE_DEVICES)
const openLarge = useBrowser(LARGE_FAKE_DEVICES)
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})
const makeRoom = () => makeHostedRoom(partner, `media-${++rooms}`, open)

describe('a picture', () => {
  it.each<[teacher: Codec, student: Codec]>([
    ['VP9', 'H264'],
    ['AV1', 'VP8'],
  ])('is decoded by the other, in whichever codec it is sent: %s and %s', async (ofTeacher, ofStudent) => {
    const { links } = await makeRoom()
    const teacher = await joinMeasured(open, links.teacher, { sends: ofTeacher })
    // Whoever is not made to choose sends VP8.
    const student = await joinMeasured(open, links.student, ofStudent === 'VP8' ? {} : { sends: ofStudent })
    await Promise.all([student.sees('Anna Petrova'), teacher.sees('Mia Andersson')])
    expect(await arriving(student, 'Anna Petrova')).toMatchObject({ codec: `video/${ofTeacher}` })
    expect(await arriving(teacher, 'Mia Andersson')).toMatchObject({ codec: `video/${ofStudent}` })
  })

  it('comes in as many lines as its tile needs', async () => {
    const { links } = await makeRoom()
    const teacher = await joinMeasured(openLarge, links.teacher)
    const student = await joinMeasured(open, links.student, { viewport: { width: 360, height: 400 } })
    await student.sees('Anna Petrova')
    const height = async () => (await arriving(student, 'Anna Petrova'))?.height ?? 0
    await waitFor(async () => (await height()) === 180, 'a small tile gets the smallest layer')
    const since = Date.now()
    await student.page.setViewportSize({ width: 1920, height: 1080 })
    await student.page.getByRole('button', { name: 'Pin Anna Petrova' }).click()
    await waitFor(async () => (await height()) > 180, 'a large tile gets more')
    const more = Date.now() - since
    await waitFor(async () => (await height()) === 720, 'it gets everything')
    console.log(`A tile that grows gets more after ${more} ms, everything after ${Date.now() - since} ms`)
    await student.page.setViewportSize({ width: 360, height: 400 })
    await waitFor(async () => (await height()) === 180, 'a tile that shrinks gets less')
    await teacher.sees('Mia Andersson')
  })

  it('comes by TCP where UDP is not let through', async () => {
    const { links } = await makeRoom()
    const teacher = await joinMeasured(open, links.teacher, { tcpOnly: true })
    const student = await joinMeasured(open, links.student)
    const [seen] = await Promise.all([teacher.sees('Mia Andersson'), student.sees('Anna Petrova')])
    console.log(`From the click on Join to the first frame by TCP: ${seen - student.joinedAt} ms`)
    expect(await arriving(teacher, 'Mia Andersson')).toMatchObject({ protocol: 'tcp' })
    expect(await arriving(student, 'Anna Petrova')).toMatchObject({ protocol: 'udp' })
    await Promise.all([teacher.hears(), student.hears()])
  })
})

describe('a third person', () => {
  it('shares a screen with both others', async () => {
    const { links } = await makeRoom()
    const [teacher, student] = [
      await joinMeasured(open, links.teacher),
      await joinMeasured(open, links.student),
    ]
    const guest = await joinMeasured(open, links.plain, { name: 'Sam', listens: true })
    await guest.button('Share screen').click()
    for (const viewer of [teacher, student]) {
      await viewer.sees('Sam’s screen')
      await waitFor(async () => (await viewer.share(viewer.tiles('Sam', 'screen'))) > 0.5, 'it is large')
    }
    await guest.button('Share screen').click()
    for (const viewer of [teacher, student])
      await waitFor(async () => (await viewer.tiles('Sam', 'screen').count()) === 0, 'it is gone')
    await Promise.all([arrives(teacher, 'Mia Andersson'), arrives(student, 'Anna Petrova')])
  })
})

describe('four people', () => {
  const sound = (path: string) => [...FAKE_DEVICES, `--use-file-for-fake-audio-capture=${path}`]
  const folder = makeFolder()
  const openSpeaking = useBrowser(sound(writeVoice(join(folder, 'voice.wav'))))
  const openSilent = useBrowser(sound(writeSilence(join(folder, 'silence.wav'))))

  it('see the one large who speaks', async () => {
    const { links } = await makeRoom()
    const teacher = await joinMeasured(openSilent, links.teacher, { isSilent: true })
    const student = await joinMeasured(openSilent, links.student, { isSilent: true })
    const sam = await joinMeasured(openSpeaking, links.plain, { name: 'Sam' })
    const lea = await joinMeasured(openSpeaking, links.plain, { name: 'Lea' })
    await lea.page.keyboard.press('m')
    await largeFor([teacher, student, lea], 'Sam')
    const since = Date.now()
    await sam.page.keyboard.press('m')
    await lea.page.keyboard.press('m')
    await largeFor([teacher, student, sam], 'Lea')
    console.log(`Who speaks now is large at three others after ${Date.now() - since} ms`)
    await Promise.all([teacher.sees('Lea'), lea.sees('Sam')])
  }, 120_000)

  const largeFor = (viewers: Visitor[], name: string) =>
    Promise.all(
      viewers.map(viewer =>
        waitFor(async () => (await viewer.share(viewer.tiles(name))) > 0.5, `${name} is large`),
      ),
    )
})
