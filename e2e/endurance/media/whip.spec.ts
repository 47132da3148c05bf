import { beforeAll, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { repositoryPath } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { LESSON, tokenOf } from '../../support/links.ts'
import { usePrograms } from '../../support/program.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const lectern = useLectern()
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const run = usePrograms()

let teacher: Visitor
let start: (role: 'publish' | 'play', endpoint: string) => ReturnType<typeof run>
beforeAll(async () => {
  const partner = lectern.client(await lectern.addAccount('school', ['integration:rooms']))
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom('lesson', LESSON)
  start = (role, endpoint) =>
    run('/usr/bin/python3', [
      repositoryPath('e2e/support/webrtcbin.py'),
      role,
      `${lectern.url}/api/v1.0/conferences/${tag}/${endpoint}`,
      tokenOf(student_join_url),
    ])
  teacher = await Visitor.join(await open(teacher_join_url))
})

const hasLeft = (name: string) =>
  waitFor(async () => (await teacher.tiles(name).count()) === 0, `${name} has left`)

it('a participant on GStreamer sends and receives audio and video over WHIP and WHEP', async () => {
  const publisher = start('publish', 'whip?display_name=GStreamer')
  const player = start('play', 'whep?display_name=Monitor')
  await teacher.waitForVideo('GStreamer')
  await teacher.waitForSound()
  await player.waitForOutput(/^video [2-9]0$/m)
  await player.waitForOutput(/^audio [2-9]0$/m)
  await publisher.kill('SIGTERM')
  expect(publisher.stdout).toContain('deleted')
  await hasLeft('GStreamer')
  await player.kill('SIGTERM')
  await hasLeft('Monitor')
})
