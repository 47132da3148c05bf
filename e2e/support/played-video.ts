import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import type { OpenTab } from './browser.ts'
import { waitFor } from './wait.ts'

const PAGE = '<!doctype html><title>Lesson</title><video muted playsinline controls></video>'

/**
 * Plays videos by their links in a page of another origin, as a school's site does. A video plays when its picture has a size
 * and its time goes on.
 */
export function usePlayer() {
  let site: Server
  beforeAll(async () => {
    site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE))
    await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void site.close())

  return async function expectPlays(open: OpenTab, link: string): Promise<void> {
    const { page } = await open(`http://localhost:${(site.address() as AddressInfo).port}`)
    const video = page.locator('video')
    await video.evaluate((element: HTMLVideoElement, src) => {
      element.src = src
      void element.play().catch(() => {}) // `error` has the reason
    }, link)
    const state = () =>
      video.evaluate(({ currentTime, videoWidth, videoHeight, error }: HTMLVideoElement) => ({
        currentTime,
        hasPicture: videoWidth > 0 && videoHeight > 0,
        error: error?.message ?? null,
      }))
    await waitFor(async () => {
      const { currentTime, hasPicture, error } = await state()
      expect(error).toBeNull()
      return hasPicture && currentTime > 0
    }, 'the video plays')
    const { currentTime: before } = await state()
    await waitFor(async () => (await state()).currentTime > before, 'the time of the video goes on')
    await page.close()
  }
}
