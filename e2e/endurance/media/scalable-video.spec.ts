import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { PLAIN_LINK_OPEN } from '../../support/lectern.ts'
import { joinInstrumented, receivedVideo, sentVideos } from '../../support/media.ts'
import { useRecordedLessons } from '../../support/recorded-lessons.ts'
import { coloursAt } from '../../support/recorded-video.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import type { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const LARGE_CAMERA = '1280x720'
const SMALL = { width: 320, height: 240 }
/** Shows all three participants at once; small tiles save CPU time. */
const MEDIUM = { width: 640, height: 480 }
const { receiver, openRed, openBlue, makeFolder, partner } = await useRecordedLessons(
  2,
  PLAIN_LINK_OPEN,
  LARGE_CAMERA,
)

const codecsOf = async (visitor: Visitor) => [
  ...new Set((await sentVideos(visitor)).map(({ codec }) => codec)),
]

describe('a camera', () => {
  it('is sent with spatial layers where both ends are capable, and in VP8 once somebody is not; both are recorded', async () => {
    const { links } = await createHostedRoom(partner(), 'scalable', openRed)
    const { tag } = await partner().getRoom('scalable')
    const teacher = await joinInstrumented(openRed, links.teacher, { hasEncoder: true })
    const student = await joinInstrumented(openBlue, links.student, { hasEncoder: true })
    await Promise.all([teacher.waitForVideo('Mia Andersson'), student.waitForVideo('Anna Petrova')])
    for (const visitor of [teacher, student])
      expect(await sentVideos(visitor)).toEqual([{ codec: 'video/VP9', scalabilityMode: 'L3T3_KEY' }])

    const height = async () => (await receivedVideo(student, 'Anna Petrova'))?.height ?? 0
    await student.page.setViewportSize(SMALL)
    await waitFor(async () => (await height()) === 180, 'a small tile gets the smallest layer')
    await student.page.setViewportSize({ width: 1920, height: 1080 })
    await waitFor(async () => (await height()) === 720, 'a large tile gets all layers')
    await sleep(3_000)
    const scalableAtMs = Date.now()
    for (const { page } of [teacher, student]) await page.setViewportSize(MEDIUM)
    const sam = await joinInstrumented(openBlue, links.plain, {
      name: 'Sam',
      withoutVp9: true,
      viewport: MEDIUM,
    })
    await Promise.all([sam.waitForVideo('Anna Petrova'), sam.waitForVideo('Mia Andersson')])
    for (const visitor of [teacher, student]) {
      await waitFor(async () => (await codecsOf(visitor)).join() === 'video/VP8', 'all send VP8')
      await visitor.waitForVideo('Sam')
    }
    await Promise.all([teacher.waitForVideo('Mia Andersson'), student.waitForVideo('Anna Petrova')])
    await sleep(3_000)
    const simulcastAtMs = Date.now()
    await Promise.all([teacher, student, sam].map(({ page }) => page.close()))

    const { event } = await receiver.next(tag)
    if (event.type !== 'recording.ready') throw new Error(`expected recording.ready, got ${event.type}`)
    const { files, started_at_ms } = event.data.recording
    const url = files.find(({ path }) => path === 'recording.mkv')?.url
    const file = join(makeFolder(), 'recording.mkv')
    const response = await partner().downloadBlob(String(url))
    writeFileSync(file, Buffer.from(await response.arrayBuffer()))
    for (const atMs of [scalableAtMs, simulcastAtMs]) {
      const colours = await coloursAt(file, (atMs - 1_500 - started_at_ms) / 1000)
      expect(colours.red).toBeGreaterThan(0.1)
      expect(colours.blue).toBeGreaterThan(0.1)
    }
  })
})
