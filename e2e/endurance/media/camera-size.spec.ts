import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebhookEvent } from '@lectern/partner'
import { describe, expect, it } from 'vitest'
import { fakeDevicesOfSize, useBrowser } from '../../support/browser.ts'
import type { Size } from '../../support/camera.ts'
import { PLAIN_LINK_OPEN } from '../../support/lectern.ts'
import { joinInstrumented, receivedVideo } from '../../support/media.ts'
import { useRecordedLessons } from '../../support/recorded-lessons.ts'
import { frameSizes } from '../../support/recorded-video.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import type { Visitor } from '../../support/visitor.ts'

/** Raw tracks contain the received media unchanged. */
const { receiver, openRed, makeFolder, partner } = await useRecordedLessons(2, {
  SVC_RECORDER_PROFILE: 'raw_tracks_v1',
  ...PLAIN_LINK_OPEN,
})

const sizes: Size[] = [
  { width: 320, height: 240 },
  { width: 640, height: 360 },
  { width: 640, height: 480 },
  { width: 1280, height: 720 },
  { width: 720, height: 1280 },
]
const cameras = sizes.map(size => ({
  size,
  open: useBrowser(fakeDevicesOfSize(size), { keepsPagesOpen: true }),
}))

const LARGE_WINDOW = { viewport: { width: 1920, height: 1080 } }
const nameOf = ({ width, height }: Size) => `${width}x${height}`
/** The top layer of a large camera takes seconds, and more on a busy machine. */
const WITHIN = { timeout: 150_000 }

const sizeSeen = async (viewer: Visitor, label: string) => {
  const seen = await receivedVideo(viewer, label)
  return seen && nameOf(seen)
}

describe('a camera', () => {
  it('of any size is received and recorded in full resolution', async () => {
    const { links } = await createHostedRoom(partner(), 'sizes', openRed)
    const { tag } = await partner().getRoom('sizes')
    const viewer = await joinInstrumented(openRed, links.teacher, LARGE_WINDOW)
    await viewer.page.getByText('REC', { exact: true }).waitFor()
    for (const { size, open } of cameras) {
      const name = nameOf(size)
      const { page } = await joinInstrumented(open, links.plain, { name })
      await viewer.page.getByRole('button', { name: `Pin ${name}` }).click()
      await expect.poll(() => sizeSeen(viewer, name), WITHIN).toBe(name)
      await page.waitForTimeout(1_000) // gives the recorder some video
      await page.context().close()
    }
    await viewer.page.context().close()

    const recorded = await recordedSizes((await receiver.next(tag)).event)
    for (const { size } of cameras) expect.soft(recorded.get(nameOf(size))?.at(-1)).toBe(nameOf(size))
  })

  it('that changes its size during a call is received and recorded in the new resolution', async () => {
    const { links } = await createHostedRoom(partner(), 'changes', openRed)
    const { tag } = await partner().getRoom('changes')
    const viewer = await joinInstrumented(openRed, links.teacher, LARGE_WINDOW)
    await viewer.page.getByText('REC', { exact: true }).waitFor()
    const open = cameras.find(({ size }) => nameOf(size) === '1280x720')?.open ?? openRed
    const sender = await joinInstrumented(open, links.plain, { name: 'Sam' })
    await viewer.page.getByRole('button', { name: 'Pin Sam' }).click()
    const changes = ['640x480', '480x640', '320x240', '1280x720']
    await expect.poll(() => sizeSeen(viewer, 'Sam'), WITHIN).toBe('1280x720')
    for (const change of changes) {
      const [width = 0, height = 0] = change.split('x').map(Number)
      await resizeCamera(sender, { width, height })
      const since = Date.now()
      await expect.poll(() => sizeSeen(viewer, 'Sam'), WITHIN).toBe(change)
      console.log(`The camera is now ${change}: seen after ${Date.now() - since} ms`)
      await viewer.waitForVideo('Sam')
      await sender.page.waitForTimeout(1_000) // gives the recorder some video
    }
    await Promise.all([viewer, sender].map(({ page }) => page.context().close()))

    const recorded = await recordedSizes((await receiver.next(tag)).event)
    expect(recorded.get('Sam')).toEqual(expect.arrayContaining(['1280x720', ...changes]))
  })
})

/** Changes the resolution of a running camera, like a rotated phone. */
const resizeCamera = ({ page }: Visitor, { width, height }: Size) =>
  page.evaluate(
    async size => {
      const tracks = [...document.querySelectorAll('video')].flatMap(({ srcObject }) =>
        srcObject instanceof MediaStream ? srcObject.getVideoTracks() : [],
      )
      const own = tracks.filter(track => track.getSettings().deviceId && track.getSettings().frameRate)
      const [camera] = own.filter(({ label }) => label !== '' && !label.startsWith('remote'))
      await camera?.applyConstraints({ width: { exact: size.width }, height: { exact: size.height } })
    },
    { width, height },
  )

/** The recorded camera resolutions per participant, in order. */
async function recordedSizes(event: WebhookEvent): Promise<Map<string, string[]>> {
  if (event.type !== 'recording.ready') throw new Error(`got ${event.type}`)
  const { files } = event.data.recording
  const read = async (path: string) => {
    const url = String(files.find(file => file.path === path)?.url)
    return Buffer.from(await (await partner().downloadBlob(url)).arrayBuffer())
  }
  const { tracks } = JSON.parse((await read('manifest.json')).toString()) as {
    tracks: { path: string; source: string; name: string; offset_ms: number }[]
  }
  const recorded = new Map<string, string[]>()
  for (const { path, name } of tracks.filter(({ source }) => source === 'camera')) {
    const file = join(makeFolder(), 'camera.ivf')
    writeFileSync(file, await read(path))
    recorded.set(name, [...(recorded.get(name) ?? []), ...(await frameSizes(file))])
  }
  return recorded
}
