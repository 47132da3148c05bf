import type { OwnRecordingListResponse, OwnRecordingResponse, OwnTranscriptResponse } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { ok } from '../../testing/fake-api.ts'
import { renderHome } from '../../testing/home.tsx'
import { checkKeyboardEverywhere } from '../../testing/keyboard.ts'
import { DESKTOP, PHONE } from '../../testing/render.tsx'

const RECORDING = {
  recording_id: 'r1',
  tag: 't',
  title: 'Weekly review of everything that was planned for the week before',
  status: 'completed',
  profile: 'consolidated_native',
  started_at_ms: 1_700_000_000_000,
  duration_ms: 600_000,
  size: 12_000_000,
  transcript: 'ready' as const,
  poster_blob_id: null as string | null,
}
const LIST: OwnRecordingListResponse = {
  result: 200,
  recordings: [RECORDING],
  next: null,
  unfinished: [{ recording_id: 'r2', tag: 't', title: 'مراجعة', state: 'processing', created_at_ms: 1 }],
}
const ONE: OwnRecordingResponse = {
  ...RECORDING,
  result: 200,
  video_blob_id: null,
  files: [
    { blob_id: 'b1', path: 'recording.mp4', content_type: 'video/mp4', size: 1_000 },
    { blob_id: 'b2', path: 'chapters.json', content_type: 'application/json', size: 10 },
  ],
}
const TRANSCRIPT: OwnTranscriptResponse = {
  result: 200,
  language: 'en',
  phrases: [
    { from_ms: 1_000, to_ms: 2_000, speaker: 'Anna', text: 'go forward ten meters' },
    { from_ms: 3_000, to_ms: 4_000, speaker: 'مريم', text: 'and back again' },
  ],
  is_truncated: false,
  next: null,
}
const IMAGE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs='
const PATH = 'GET /api/v1.0/me/recordings'

describe('the recordings', () => {
  it('are reached by keyboard, accessible and fit every screen, without and with recordings', async () => {
    const home = await renderHome('/recordings', {
      routes: { [PATH]: () => ok({ result: 200, recordings: [], next: null, unfinished: [] }) },
    })
    await expect.element(page.getByText('No recordings yet')).toBeVisible()
    await checkAppearance('empty')
    await home.unmount()
    await renderHome('/recordings', { routes: { [PATH]: () => ok(LIST) } })
    await expect.element(page.getByRole('link', { name: /^Weekly review/ })).toBeVisible()
    await checkKeyboardEverywhere()
    await checkAppearance('list')
  })

  it('are listed with their images', async () => {
    const recordings = [{ ...RECORDING, poster_blob_id: 'p1' }]
    await renderHome('/recordings', {
      routes: {
        [PATH]: () => ok({ ...LIST, recordings }),
        'POST /api/v1.0/me/recordings/r1/files/p1/link': () => ok({ result: 200, url: IMAGE }),
      },
    })
    await expect.poll(() => document.querySelector('li img')?.getAttribute('src')).toBe(IMAGE)
    await checkAppearance('images', { sizes: [PHONE, DESKTOP] })
  })

  it('are played faster, and ten seconds back and forward, and downloaded above their files', async () => {
    await renderHome('/recordings/r1', {
      routes: {
        [`${PATH}/r1`]: () => ok({ ...ONE, video_blob_id: 'b1' }),
        [`${PATH}/r1/transcript`]: () => ok(TRANSCRIPT),
        'POST /api/v1.0/me/recordings/r1/files/b1/link': () => ok({ result: 200, url: '/favicon.svg' }),
      },
    })
    await expect.element(page.getByRole('button', { name: 'Download', exact: true })).toBeVisible()
    await checkAppearance('player', { sizes: [PHONE, DESKTOP] })
    const video = document.querySelector('video') as HTMLVideoElement
    if (!video) return // this browser plays no such file
    await page.getByRole('combobox', { name: 'Speed' }).selectOptions('1.5')
    expect([video.playbackRate, video.defaultPlaybackRate]).toEqual([1.5, 1.5])
    await page.getByRole('button', { name: '10 seconds forward' }).click()
    await page.getByRole('button', { name: '10 seconds back' }).click()
  })

  it('are searched in their transcript', async () => {
    await renderHome('/recordings/r1', {
      routes: {
        [`${PATH}/r1`]: () => ok(ONE),
        [`${PATH}/r1/transcript`]: () => ok(TRANSCRIPT),
        [`${PATH}/r1/files/b2`]: () => ok({ chapters: [{ kind: 'speaker', from_ms: 0, name: 'Anna' }] }),
      },
    })
    const search = page.getByRole('searchbox', { name: 'Search the transcript' })
    await search.fill('FORWARD')
    await expect.element(page.getByText('1 match', { exact: true })).toBeVisible()
    await checkAppearance('recording')
    await search.fill('nothing like it')
    await expect.element(page.getByText('0 matches', { exact: true })).toBeVisible()
    const transcript = page.getByRole('region', { name: 'Transcript' }).element()
    expect(transcript.querySelectorAll('[tabindex="0"]')).toHaveLength(0)
  })

  it('show the pages of their board, which lead to the moment at which each was shown', async () => {
    const png = { content_type: 'image/png', size: 1 }
    const files = [
      ...ONE.files,
      { blob_id: 'p1', path: 'board/page-01.png', ...png },
      { blob_id: 'p2', path: 'board/page-02.png', ...png },
      { blob_id: 'pdf', path: 'board.pdf', content_type: 'application/pdf', size: 1 },
    ]
    await renderHome('/recordings/r1', {
      routes: {
        [`${PATH}/r1`]: () => ok({ ...ONE, files, video_blob_id: 'b1' }),
        [`${PATH}/r1/transcript`]: () => ok(TRANSCRIPT),
        [`${PATH}/r1/files/b2`]: () => ok({ chapters: [{ kind: 'page', from_ms: 9_000, page: 1 }] }),
        'POST /api/v1.0/me/recordings/r1/files/b1/link': () => ok({ result: 200, url: '/favicon.svg' }),
        'POST /api/v1.0/me/recordings/r1/files/p1/link': () => ok({ result: 200, url: IMAGE }),
        'POST /api/v1.0/me/recordings/r1/files/p2/link': () => ok({ result: 200, url: IMAGE }),
      },
    })
    const board = page.getByRole('region', { name: 'Board' })
    await expect.poll(() => board.element().querySelectorAll('img')).toHaveLength(2)
    await expect.element(board.getByRole('button', { name: 'Page 1' })).toBeEnabled()
    await expect.element(board.getByRole('button', { name: 'Page 2' })).toBeDisabled()
    await expect.element(board.getByRole('button', { name: 'Save the board (PDF)' })).toBeVisible()
    await checkAppearance('board', { sizes: [PHONE, DESKTOP] })
  })
})
