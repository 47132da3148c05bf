import { describe, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse } from '../../api/api.ts'
import { formatSize } from '../../format-size.ts'
import { boardPagesOf, chapterAt } from './lesson.ts'
import { Playback } from './playback.ts'
import { PHRASES_MAX, RecordingDetails } from './recording-details.ts'
import { Recordings } from './recordings.ts'
import { formatPosition, phraseAt, searchPhrases, splitAtMatches, toPlainText } from './transcript-text.ts'

const ok = (body: unknown): ApiResponse => ({ is: 'ok', body })
const refused = (status: number, code: string): ApiResponse => ({
  is: 'refused',
  status,
  code,
  retryAfterMs: null,
})
const page = (ids: string[], next: string | null = null, unfinished: unknown[] = []) =>
  ok({ recordings: ids.map(recording_id => ({ recording_id })), next, unfinished })

function serverOf(responses: ApiResponse[]) {
  const requests: Omit<ApiRequest, 'token'>[] = []
  const request = async (question: Omit<ApiRequest, 'token'>): Promise<ApiResponse> => {
    requests.push(question)
    return responses.shift() ?? { is: 'unreachable' }
  }
  return { requests, request }
}

describe('the list of recordings', () => {
  const idsOf = (recordings: Recordings) => {
    const state = recordings.get()
    return state.is === 'known' ? state.list.map(({ recording_id }) => recording_id).join('') : state.is
  }

  it('loads pages, and keeps them when the first is refreshed', async () => {
    const { requests, request } = serverOf([page(['d', 'c'], '3'), page(['b', 'a']), page(['e', 'd'], '4')])
    const recordings = new Recordings({ request })
    await recordings.load()
    expect(recordings.get()).toMatchObject({ next: '3' })
    await recordings.loadMore()
    expect([idsOf(recordings), requests.at(-1)?.path]).toEqual(['dcba', '/api/v1.0/me/recordings?before=3'])
    await recordings.load()
    expect(idsOf(recordings)).toBe('edcba')
    expect(recordings.get()).toMatchObject({ next: null, stale: false })
  })

  it('starts over when everything on the first page is new, and removes deleted recordings', async () => {
    const { request } = serverOf([page(['b', 'a'], '1'), page(['f', 'e'], '5'), page([])])
    const recordings = new Recordings({ request })
    await recordings.load()
    await recordings.load()
    expect(idsOf(recordings)).toBe('fe')
    expect(recordings.get()).toMatchObject({ next: '5' })
    await recordings.load()
    expect(idsOf(recordings)).toBe('')
  })

  it('remains, and is marked as stale, while the server cannot be reached', async () => {
    const { request } = serverOf([page(['a'], '1')])
    const recordings = new Recordings({ request })
    await recordings.load()
    await recordings.load()
    expect(recordings.get()).toMatchObject({ is: 'known', stale: true })
    await recordings.loadMore()
    expect(idsOf(recordings)).toBe('a')
    const failing = new Recordings(serverOf([ok('nonsense')]))
    await failing.load()
    expect(failing.get()).toEqual({ is: 'unknown' })
  })
})

describe('a recording', () => {
  const phrase = { from_ms: 0, to_ms: 1, speaker: 'A', text: 'x' }

  it('loads its transcript once it is ready', async () => {
    const { request } = serverOf([
      ok({ recording_id: 'r', transcript: 'processing' }),
      ok({ recording_id: 'r', transcript: 'ready' }),
      ok({ language: 'en', phrases: [phrase], is_truncated: false }),
    ])
    const details = new RecordingDetails({ request }, 'r')
    await details.load()
    expect(details.get()).toMatchObject({ is: 'known', transcript: { is: 'processing' } })
    await details.load()
    expect(details.get()).toMatchObject({ transcript: { is: 'known', phrases: [phrase] } })
  })

  const file = (path: string) => ({ blob_id: `b_${path}`, path, content_type: 'a/b', size: 1 })

  it('has the report of the recorder about the lesson, loaded once', async () => {
    const recording = ok({
      transcript: 'none',
      files: ['recording.mp4', 'poster.jpg', 'chapters.json', 'attendance.json'].map(file),
    })
    const person = { user_id: '1', name: 'ענת', joined_at_ms: 1_000, left_at_ms: null, present_ms: 9_000 }
    const { requests, request } = serverOf([
      recording,
      ok({ url: '/poster' }),
      ok({ chapters: [{ kind: 'screen', from_ms: 5, name: 'A' }, { kind: 'other', from_ms: 6 }, null] }),
      ok({ people: [{ ...person, stays: [{}, {}], hand_count: 2 }, { name: 'x' }, 'y'] }),
      recording,
    ])
    const details = new RecordingDetails({ request }, 'r')
    await details.load()
    await details.load()
    expect(requests.map(({ path }) => path.slice('/api/v1.0/me/recordings/r'.length))).toEqual([
      '',
      '/files/b_poster.jpg/link',
      '/files/b_chapters.json',
      '/files/b_attendance.json',
      '',
    ])
    expect(details.get()).toMatchObject({
      is: 'known',
      lesson: {
        poster: '/poster',
        chapters: [{ kind: 'screen', fromMs: 5, name: 'A' }],
        attendance: [
          { name: 'ענת', joins: 2, joinedAtMs: 1_000, leftAtMs: null, talkMs: 0, handCount: 2, handMs: 0 },
        ],
      },
    })
  })

  it('of an earlier version, or with files that cannot be read, plays without chapters', async () => {
    const lessonOf = async (responses: ApiResponse[]) => {
      const details = new RecordingDetails(serverOf(responses), 'r')
      await details.load()
      const state = details.get()
      return state.is === 'known' ? state.lesson : null
    }
    const nothing = { poster: null, chapters: [], attendance: [] }
    expect(await lessonOf([ok({ transcript: 'none', files: [file('recording.mp4')] })])).toEqual(nothing)
    const files = ['poster.jpg', 'chapters.json', 'attendance.json'].map(file)
    expect(await lessonOf([ok({ transcript: 'none', files })])).toEqual(nothing)
    const broken = [refused(404, 'blob_not_found'), ok(null), ok({ people: 5 })]
    expect(await lessonOf([ok({ transcript: 'none', files }), ...broken])).toEqual(nothing)
  })

  it('has all pages of its transcript, and keeps the first ones when a later one fails', async () => {
    const ready = ok({ transcript: 'ready', files: [] })
    const phrases = (count: number) => Array(count).fill(phrase)
    const pageOf = (count: number, next: number | null) =>
      ok({ language: 'en', phrases: phrases(count), is_truncated: next !== null, next })
    const transcriptOf = async (responses: ApiResponse[]) => {
      const { requests, request } = serverOf([ready, ...responses])
      const details = new RecordingDetails({ request }, 'r')
      await details.load()
      const state = details.get()
      const { transcript } = state.is === 'known' ? state : { transcript: null }
      return {
        count: transcript?.is === 'known' && transcript.phrases.length,
        isTruncated: transcript?.is === 'known' && transcript.isTruncated,
        paths: requests.slice(1).map(({ path }) => path.split('/').at(-1)),
      }
    }
    expect(await transcriptOf([pageOf(3, 3), pageOf(2, null)])).toEqual({
      ...{ count: 5, isTruncated: false, paths: ['transcript', 'transcript?from=3'] },
    })
    expect(await transcriptOf([pageOf(3, 3), refused(503, 'internal')])).toMatchObject({
      ...{ count: 3, isTruncated: true },
    })
    const earlierVersion = ok({ language: 'en', phrases: phrases(2), is_truncated: true })
    expect(await transcriptOf([earlierVersion])).toMatchObject({ count: 2, isTruncated: true })
    const endless = Array.from({ length: 20 }, (_, index) => pageOf(20_000, (index + 1) * 20_000))
    expect(await transcriptOf(endless)).toMatchObject({ count: PHRASES_MAX, isTruncated: true })
  })

  it('reports whether it is missing or unknown, and whether it was deleted', async () => {
    const stateAfter = async (answer: ApiResponse) => {
      const details = new RecordingDetails(serverOf([answer]), 'r')
      await details.load()
      return details.get().is
    }
    expect(await stateAfter(refused(404, 'recording_not_found'))).toBe('missing')
    expect(await stateAfter(refused(503, 'temporarily_unavailable'))).toBe('unknown')
    const { requests, request } = serverOf([
      ok({}),
      refused(404, 'recording_not_found'),
      refused(503, 'internal'),
    ])
    const details = new RecordingDetails({ request }, 'a/b')
    expect([await details.remove(), await details.remove(), await details.remove()]).toEqual([
      true,
      true,
      false,
    ])
    expect(requests[0]?.path).toBe('/api/v1.0/me/recordings/a%2Fb')
  })
})

describe('playback', () => {
  it('gets another link when one has expired, and gives up when a fresh one fails', async () => {
    let now = 0
    let links = 0
    const playback = new Playback(
      async () => `link ${++links}`,
      () => now,
    )
    await playback.start()
    expect(playback.get()).toEqual({ is: 'ready', url: 'link 1' })
    playback.markPlayable()
    now += 600_000
    expect(await playback.handleError()).toBe(true)
    expect(playback.get()).toEqual({ is: 'ready', url: 'link 2' })
    expect(await playback.handleError()).toBe(false)
    expect(playback.get()).toEqual({ is: 'lost' })
  })

  it('fails if the browser has played none of it', async () => {
    const playback = new Playback(async () => 'link')
    await playback.start()
    expect(await playback.handleError()).toBe(false)
    expect(playback.get()).toEqual({ is: 'failed' })
  })

  it('continues after an error soon after the start, as long as it had played', async () => {
    let links = 0
    const playback = new Playback(
      async () => `link ${++links}`,
      () => 0,
    )
    await playback.start()
    playback.markPlayable()
    expect(await playback.handleError()).toBe(true)
    expect(await playback.handleError()).toBe(false)
  })

  it('is lost without a link, until one is given', async () => {
    const links = [null, 'link']
    const playback = new Playback(async () => links.shift() ?? null)
    await playback.start()
    expect(playback.get()).toEqual({ is: 'lost' })
    await playback.start()
    expect(playback.get()).toEqual({ is: 'ready', url: 'link' })
  })
})

it('finds the pages of the board, and when each was shown first', () => {
  const files = ['recording.mp4', 'board/page-02.png', 'board/page-01.png', 'board.pdf', 'board/page-100.png']
  const chapters = [
    { kind: 'speaker' as const, fromMs: 0, name: '1' },
    { kind: 'page' as const, fromMs: 3_000, name: '2' },
    { kind: 'page' as const, fromMs: 9_000, name: '1' },
    { kind: 'page' as const, fromMs: 12_000, name: '2' },
  ]
  expect(
    boardPagesOf(
      files.map(path => ({ path, blob_id: path })),
      chapters,
    ),
  ).toEqual([
    { number: 1, blobId: 'board/page-01.png', fromMs: 9_000 },
    { number: 2, blobId: 'board/page-02.png', fromMs: 3_000 },
    { number: 100, blobId: 'board/page-100.png', fromMs: null },
  ])
})

it('finds the chapter of a position', () => {
  const chapters = [2_000, 5_000].map(fromMs => ({ kind: 'speaker' as const, fromMs, name: 'A' }))
  expect([0, 2_000, 4_999, 60_000].map(at => chapterAt(chapters, at))).toEqual([-1, 0, 0, 1])
})

describe('a transcript', () => {
  const phrases = [
    { from_ms: 1_000, to_ms: 2_500, speaker: 'Anna <A>', text: 'Hello & welcome\n\n--> x' },
    { from_ms: 3_723_400, to_ms: 3_723_400, speaker: 'Бен', text: 'Привет, Hello' },
  ]

  it('is saved as text', () => {
    expect(toPlainText('Standup', phrases)).toBe(
      'Standup\n\n[0:01] Anna <A>: Hello & welcome\n\n--> x\n[1:02:03] Бен: Привет, Hello\n',
    )
  })

  it('follows a position', () => {
    expect([0, 999, 1_000, 5_000, 9e9].map(at => phraseAt(phrases, at))).toEqual([-1, -1, 0, 0, 1])
    expect(phraseAt([], 5)).toBe(-1)
  })

  it('is searched in words and speakers, without regard to case', () => {
    const found = (typed: string) => searchPhrases(phrases, typed).map(({ speaker }) => speaker)
    expect([found(' hello '), found('ПРИВЕТ'), found('бен'), found('nothing'), found(' ')]).toEqual([
      ['Anna <A>', 'Бен'],
      ['Бен'],
      ['Бен'],
      [],
      ['Anna <A>', 'Бен'],
    ])
    expect(splitAtMatches('Hello hello', 'HELLO')).toEqual(['', 'Hello', ' ', 'hello', ''])
    expect(splitAtMatches('İstanbul, Irmak', 'i')).toEqual(['', 'İ', 'stanbul, ', 'I', 'rmak'])
    expect(splitAtMatches('i\u0307x', 'x')).toEqual(['i\u0307x'])
    expect(splitAtMatches('abc', '')).toEqual(['abc'])
  })

  it('shows positions and sizes', () => {
    expect([0, 59_999, 60_000, 3_600_000, -5].map(formatPosition)).toEqual([
      '0:00',
      '0:59',
      '1:00',
      '1:00:00',
      '0:00',
    ])
    expect([0, 999, 1_500, 38_400_000, 2e12].map(size => formatSize(size, 'en'))).toEqual([
      '0 byte',
      '999 byte',
      '1.5 kB',
      '38 MB',
      '2 TB',
    ])
  })
})
