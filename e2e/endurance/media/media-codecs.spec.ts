import { join } from 'node:path'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { useFolders } from '../../support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { type Codec, joinInstrumented, receivedVideo, waitForVideo } from '../../support/media.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { writeSilence, writeVoice } from '../../support/synthetic-voice.ts'
import type { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const makeFolder = useFolders()
const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2',
}))
const open = useBrowser(FAKE_DEVICES)
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})
const makeRoom = () => createHostedRoom(partner, `media-${++rooms}`, open)

describe('a video', () => {
  it.each<[teacher: Codec, student: Codec]>([
    ['VP9', 'H264'],
    ['AV1', 'VP8'],
  ])('is decoded by the other participant in every codec: %s and %s', async (ofTeacher, ofStudent) => {
    const { links } = await makeRoom()
    const teacher = await joinInstrumented(open, links.teacher, { sends: ofTeacher })
    // VP8 is the default codec.
    const student = await joinInstrumented(
      open,
      links.student,
      ofStudent === 'VP8' ? {} : { sends: ofStudent },
    )
    await Promise.all([student.waitForVideo('Anna Petrova'), teacher.waitForVideo('Mia Andersson')])
    expect(await receivedVideo(student, 'Anna Petrova')).toMatchObject({ codec: `video/${ofTeacher}` })
    expect(await receivedVideo(teacher, 'Mia Andersson')).toMatchObject({ codec: `video/${ofStudent}` })
  })

  it('is received over TCP where UDP is blocked', async () => {
    const { links } = await makeRoom()
    const teacher = await joinInstrumented(open, links.teacher, { tcpOnly: true })
    const student = await joinInstrumented(open, links.student)
    const [seen] = await Promise.all([
      teacher.waitForVideo('Mia Andersson'),
      student.waitForVideo('Anna Petrova'),
    ])
    console.log(`From the click on Join to the first frame by TCP: ${seen - student.joinedAt} ms`)
    expect(await receivedVideo(teacher, 'Mia Andersson')).toMatchObject({ protocol: 'tcp' })
    expect(await receivedVideo(student, 'Anna Petrova')).toMatchObject({ protocol: 'udp' })
    await Promise.all([teacher.waitForSound(), student.waitForSound()])
  })
})

describe('a third person', () => {
  it('shares a screen with both others', async () => {
    const { links } = await makeRoom()
    const [teacher, student] = [
      await joinInstrumented(open, links.teacher),
      await joinInstrumented(open, links.student),
    ]
    const guest = await joinInstrumented(open, links.plain, { name: 'Sam', withoutDevices: true })
    await guest.button('Share screen').click()
    for (const viewer of [teacher, student]) {
      await viewer.waitForVideo('Sam’s screen')
      await waitFor(async () => (await viewer.stageShare(viewer.tiles('Sam', 'screen'))) > 0.5, 'it is large')
    }
    await guest.button('Share screen').click()
    for (const viewer of [teacher, student])
      await waitFor(async () => (await viewer.tiles('Sam', 'screen').count()) === 0, 'it is gone')
    await Promise.all([waitForVideo(teacher, 'Mia Andersson'), waitForVideo(student, 'Anna Petrova')])
  })
})

describe('four people', () => {
  const sound = (path: string) => [...FAKE_DEVICES, `--use-file-for-fake-audio-capture=${path}`]
  const folder = makeFolder()
  const openSpeaking = useBrowser(sound(writeVoice(join(folder, 'voice.wav'))))
  const openSilent = useBrowser(sound(writeSilence(join(folder, 'silence.wav'))))

  it('see the active speaker large', async () => {
    const { links } = await makeRoom()
    const teacher = await joinInstrumented(openSilent, links.teacher, { isSilent: true })
    const student = await joinInstrumented(openSilent, links.student, { isSilent: true })
    const sam = await joinInstrumented(openSpeaking, links.plain, { name: 'Sam' })
    const lea = await joinInstrumented(openSpeaking, links.plain, { name: 'Lea' })
    await lea.page.keyboard.press('m')
    await largeFor([teacher, student, lea], 'Sam')
    const since = Date.now()
    await sam.page.keyboard.press('m')
    await lea.page.keyboard.press('m')
    await largeFor([teacher, student, sam], 'Lea')
    console.log(`Who speaks now is large at three others after ${Date.now() - since} ms`)
    await Promise.all([teacher.waitForVideo('Lea'), lea.waitForVideo('Sam')])
  })

  const largeFor = (viewers: Visitor[], name: string) =>
    Promise.all(
      viewers.map(viewer =>
        waitFor(async () => (await viewer.stageShare(viewer.tiles(name))) > 0.5, `${name} is large`),
      ),
    )
})
