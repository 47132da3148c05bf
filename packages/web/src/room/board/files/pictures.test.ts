import { Lifetime } from '@lectern/common'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pictures } from './pictures.ts'

let openBitmaps = 0
const requests: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  openBitmaps = 0
  requests.length = 0
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path)
    return new Response('a picture')
  })
  vi.stubGlobal('createImageBitmap', async () => {
    openBitmaps++
    return { width: 1920, height: 1080, close: () => openBitmaps-- }
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function open() {
  const lifetime = new Lifetime()
  const access = { conference: 'k7mq', accessToken: async () => 'token', serverUrl: '' }
  return { lifetime, pictures: new Pictures(access, lifetime) }
}

describe('pictures of pages', () => {
  it('are requested once for all who show them', async () => {
    const { pictures } = open()
    for (let viewer = 0; viewer < 3; viewer++) pictures.get({ fileId: 'slides', pageNumber: 1 }, 1_900)
    await vi.advanceTimersByTimeAsync(10)
    expect(requests).toEqual(['/api/v1.0/files/slides/pages/1/1920'])
  })

  it('take little memory while 200 pages are turned quickly, and none after the board', async () => {
    const { lifetime, pictures } = open()
    let most = 0
    for (let pageNumber = 1; pageNumber <= 200; pageNumber++) {
      pictures.get({ fileId: 'slides', pageNumber }, 1_900)
      await vi.advanceTimersByTimeAsync(200)
      most = Math.max(most, openBitmaps)
    }
    expect(most).toBeLessThanOrEqual(30)
    await lifetime.close()
    expect(openBitmaps).toBe(0)
    expect(pictures.get({ fileId: 'slides', pageNumber: 200 }, 1_900)).toBeNull()
  })
})
