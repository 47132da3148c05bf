import type { RoomResponse } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { type Account, useLectern } from './support/lectern.ts'
import { LESSON, tokenOf } from './support/links.ts'
import { endSession, play, publish, readDecoded } from './support/sdp-page.ts'
import { useSite } from './support/site.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern()
const site = useSite()
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })

let account: Account
let room: RoomResponse
let teacher: Visitor
beforeAll(async () => {
  account = await lectern.addAccount('school', ['integration:rooms'])
  room = await lectern.client(account).createRoom('lesson', LESSON)
  site.html = '<!doctype html><title>SDP</title>'
  teacher = await Visitor.join(await open(room.teacher_join_url))
})

const endpoint = (kind: 'whip' | 'whep', query = '') => ({
  url: `${lectern.url}/api/v1.0/conferences/${room.tag}/${kind}${query}`,
  token: tokenOf(room.student_join_url),
})

/** A participant on GStreamer is in endurance/media. */
describe('a page that speaks SDP only', () => {
  it('sends audio and video, and receives those of the active speaker (WHEP-3)', async () => {
    const { page } = await open(site.origin)
    const playing = await play(page, endpoint('whep', '?display_name=Monitor'))
    const decodes = async (description: string) => {
      const before = await readDecoded(page, playing)
      let last = before
      let isHeard = false
      await waitFor(async () => {
        const decoded = await readDecoded(page, playing)
        isHeard ||= decoded.energy > last.energy
        last = decoded
        return isHeard && decoded.frames > before.frames + 20
      }, description)
    }
    await decodes('the page decodes the video and the sound of the teacher')
    const published = await publish(page, endpoint('whip'))
    await teacher.waitForVideo('Mia Andersson')
    await teacher.waitForSound()

    // The next participant is received in the same sections, from another sender.
    await teacher.page.close()
    await decodes('the page still decodes a video and sound')
    await decodes('the page decodes those of who is left')

    expect(await endSession(page, endpoint('whep'), playing)).toBe(200)
    expect(await endSession(page, endpoint('whip'), published)).toBe(200)
    expect(await endSession(page, endpoint('whip'), published)).toBe(404)
  })
})
