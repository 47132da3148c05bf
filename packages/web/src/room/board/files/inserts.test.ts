import { Lifetime } from '@lectern/common'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aDocument } from '../../../testing/board-files.ts'
import { upload } from '../../../uploads/upload.ts'
import { aPage } from '../testing.ts'
import { Inserts, NotShown } from './inserts.ts'

vi.mock('../../../uploads/upload.ts', () => ({ upload: vi.fn(), mayUploadAgain: () => false }))

const CONVERTING = aDocument('slides', { state: 'converting', page_count: 2 })

beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(upload).mockReset().mockResolvedValue(CONVERTING)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Slides are on their way to a board; `file` is what the server says about them. */
async function begin(isOpen: boolean) {
  const server = { file: CONVERTING as object | null, requests: [] as string[] }
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit) => {
    server.requests.push(method ?? 'GET')
    return server.file ? Response.json(server.file) : new Response(null, { status: 404 })
  })
  const lifetime = new Lifetime()
  const board = {
    get: () => (isOpen ? { page: aPage(), pages: [aPage()] } : null),
    show: vi.fn(async () => {}),
    spaceForSlides: () => 10,
    author: { draw: () => '' },
  }
  const access = { conference: 'k7mq', accessToken: async () => 'token', serverUrl: '' }
  const inserts = new Inserts(board, access, lifetime)
  const failures: unknown[] = []
  inserts.onFailed(({ error }) => failures.push(error))
  inserts.addSlides([new File(['%PDF-1.7'], 'slides.pdf')])
  // The file is read meanwhile, which takes no time of the fake clock.
  await vi.waitFor(() => expect(upload).toHaveBeenCalled())
  return { server, lifetime, inserts, failures }
}

describe('slides on their way to the board', () => {
  it('are not followed any more when their room is left, and stay on the server', async () => {
    const { server, lifetime, inserts, failures } = await begin(true)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(server.requests.length).toBeGreaterThan(1)
    await lifetime.close()
    await vi.advanceTimersByTimeAsync(1_000)
    const before = server.requests.length
    await vi.advanceTimersByTimeAsync(10_000)
    expect(server.requests.slice(before)).toEqual([])
    expect(server.requests).not.toContain('DELETE')
    expect([inserts.get(), failures]).toEqual([null, []])
  })

  it('fail when the file is gone', async () => {
    const { server, inserts, failures } = await begin(true)
    server.file = null
    await vi.advanceTimersByTimeAsync(70_000)
    expect([inserts.get(), failures]).toEqual([null, [new NotShown('')]])
  })

  it.each([
    [true, [new NotShown('deck_full')]],
    [false, []],
  ])('fail for want of space only where the board is open: %s', async (isOpen, expected) => {
    const { server, failures } = await begin(isOpen)
    server.file = { ...CONVERTING, state: 'ready' }
    await vi.advanceTimersByTimeAsync(10_000)
    expect(failures).toEqual(expected)
  })
})
