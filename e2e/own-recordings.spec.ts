import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { useBrowser } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'
import type { Account } from './support/members.ts'
import { probe } from './support/recorded-video.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { devicesWithSpeech, GO_FORWARD } from './support/speech.ts'
import { transcriptionOf } from './support/transcription.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_RECORDER_EMBEDDED: '1',
  SVC_TRANSCRIBER_EMBEDDED: '1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '1',
}))
const makeFolder = useFolders()
const open = useBrowser(devicesWithSpeech(makeFolder(), GO_FORWARD, 1))
const shoot = screenshotsOf('recordings')

let anna: Credentials
let account: Account
let admin: Account
let transcription: Awaited<ReturnType<typeof transcriptionOf>>
beforeAll(async () => {
  anna = await addUser(lectern, 'anna')
  account = await signInAs(lectern, anna)
  admin = await signInAs(lectern, await addUser(lectern, 'admin', { capabilities: ['admin'] }))
  transcription = await transcriptionOf(lectern, admin)
})

async function api(method: string, path: string, as = account, body?: object) {
  const response = await fetch(`${lectern.url}/api/v1.0${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as.access_token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function signedIn(path: string): Promise<Page> {
  const { page } = await open(lectern.url + path)
  await fillSignIn(page, anna)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Meets with recording and transcript for a few seconds, and until Anna has said something, and leaves. */
async function recordMeeting(title: string, seconds: number) {
  const { tag, link } = await createConference(lectern, account, title)
  const tab = await open(link)
  await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await fillSignIn(tab.page, anna)
  const host = await Visitor.join(tab)
  await host.more('Record')
  await tab.page.getByTitle('This meeting is being recorded.').waitFor()
  expect((await transcription.request(tag, 'start')).status).toBe(200)
  await host.more('Transcript')
  await Promise.all([
    sleep(seconds * 1000),
    tab.page.getByText(GO_FORWARD.text).first().waitFor(),
    tab.page.locator('[data-speaking]').filter({ hasText: 'Anna' }).waitFor(),
  ])
  const during = (await api('GET', '/me/recordings')).body.unfinished
  expect(during).toEqual([expect.objectContaining({ tag, title, state: 'recording' })])
  await host.button('Leave').click()
  const isReady = async () =>
    (await api('GET', '/me/recordings')).body.recordings.find(
      (each: { tag: string; transcript: string }) => each.tag === tag && each.transcript === 'ready',
    )
  await waitFor(isReady, 'recording and transcript are ready')
  return (await isReady()) as { recording_id: string; duration_ms: number }
}

const videoState = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    at: video.currentTime,
    seconds: video.duration,
    width: video.videoWidth,
    error: video.error?.message ?? null,
  }))

describe('recordings of own meetings', () => {
  it('are listed, played with transcript, downloaded and deleted by their owner', async () => {
    const empty = await signedIn('/recordings')
    await empty.getByText('No recordings yet').waitFor()

    const { recording_id } = await recordMeeting('Weekly review', 9)
    await empty.reload()
    const item = empty.getByRole('link', { name: 'Weekly review' })
    await item.waitFor()
    await item.focus()
    await empty.keyboard.press('Enter')
    const page = empty
    await page.waitForURL(`**/recordings/${recording_id}`)

    // It plays, from the beginning and from a phrase.
    await waitFor(async () => (await videoState(page)).width > 0, 'the video is loaded')
    const { seconds, width, error } = await videoState(page)
    expect({ width, error }).toEqual({ width: 1280, error: null })
    expect(seconds).toBeGreaterThan(5)
    const phrase = page.getByRole('button', { name: /Anna.*go forward/ }).last()
    await phrase.waitFor()
    await checkAppearance(page, 'player', { shoot, sizes: [PHONE] })
    await phrase.focus()
    await page.keyboard.press('Enter')
    const started = (await videoState(page)).at
    expect(started).toBeGreaterThan(1)
    // The last phrase may begin just before the end.
    const later = Math.min(started + 0.5, seconds - 0.1)
    await waitFor(async () => (await videoState(page)).at > later, 'it plays on from the phrase')
    await page.getByRole('region', { name: 'Transcript' }).locator('[aria-current]').waitFor()
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())

    // What the recorder found out about the lesson: poster, chapters that seek, and the attendance.
    const poster = await page.locator('video[poster]').getAttribute('poster')
    const image = await fetch(lectern.url + poster)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const chapter = page.getByRole('region', { name: 'Chapters' }).getByRole('button').first()
    expect(await chapter.textContent()).toMatch(/^\d:\d\dAnna$/)
    await chapter.focus()
    await page.keyboard.press('Enter')
    await waitFor(async () => (await videoState(page)).at < started, 'it plays from the chapter')
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())
    const row = page.getByRole('table').getByRole('row', { name: /Anna/ })
    expect(await row.textContent()).toMatch(/^Anna.*0:\d\d0:\d\d0$/)

    // A link that has expired is replaced, and playing continues.
    let refusedOnce = false
    await page.route('**/files/*?link=*', async route => {
      if (refusedOnce) return route.continue()
      refusedOnce = true
      await route.fulfill({ status: 401, contentType: 'application/json', body: '{}' })
    })
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.load())
    await waitFor(() => refusedOnce, 'the link was refused')
    await waitFor(async () => (await videoState(page)).width > 0, 'another link plays')
    await page.unrouteAll()

    const search = page.getByRole('searchbox', { name: 'Search the transcript' })
    await search.fill('FORWARD')
    await page.getByText(/^[1-9]\d* match/).waitFor()
    await search.fill('nothing like it')
    await page.getByText('0 matches', { exact: true }).waitFor()
    expect(await page.getByRole('region', { name: 'Transcript' }).locator('[tabindex="0"]').count()).toBe(0)
    await search.fill('')

    // Files, and both forms of the transcript.
    const folder = mkdtempSync(join(makeFolder(), 'downloads-'))
    const download = async (name: string) => {
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ])
      const file = join(folder, saved.suggestedFilename())
      await saved.saveAs(file)
      return file
    }
    const video = await download('Download recording.mp4')
    expect(video).toMatch(/recording\.mp4$/)
    expect(await probe(video)).toMatchObject({ codecs: ['h264', 'opus'] })
    expect(readFileSync(await download('Save as text'), 'utf8')).toMatch(
      /^Weekly review\n\n\[\d:\d\d\] Anna: /,
    )
    expect(readFileSync(await download('Save as table (CSV)'), 'utf8')).toMatch(
      /^\ufeff"name",.*\r\n"Anna","moderator","\d+",/,
    )
    const headers = { authorization: `Bearer ${account.access_token}` }
    const vtt = await fetch(`${lectern.url}/api/v1.0/me/recordings/${recording_id}/transcript.vtt`, {
      headers,
    })
    expect(await vtt.text()).toMatch(/^WEBVTT\n\n[\d:.]+ --> [\d:.]+\n<v Anna>/)
    const captions = await download('Save as captions')
    expect(captions).toMatch(/Weekly-review\.vtt$/)
    expect(readFileSync(captions, 'utf8')).toMatch(/^WEBVTT\n\n\d\d:\d\d:\d\d\.\d{3} --> /)
    expect(lectern.log).not.toMatch(/link=|eyJ/)

    // Nobody else sees it.
    const stranger = await signInAs(lectern, await addUser(lectern, 'stranger'))
    expect((await api('GET', `/me/recordings/${recording_id}`, stranger)).status).toBe(404)

    await page.getByRole('button', { name: 'Delete recording' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await api('GET', `/me/recordings/${recording_id}`)).status).toBe(200)
    const { files } = (await api('GET', `/me/recordings/${recording_id}`)).body
    await page.getByRole('button', { name: 'Delete recording' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No recordings yet').waitFor()
    expect((await api('DELETE', `/me/recordings/${recording_id}`)).status).toBe(200)
    for (const { blob_id } of files) {
      expect((await fetch(`${lectern.url}/api/storage/blobs/${blob_id}`, { headers })).status).toBe(404)
    }
    expect((await api('GET', `/me/recordings/${recording_id}`)).status).toBe(404)
    expect((await api('GET', '/admin/transcripts', admin)).body.transcripts).toEqual([])
  })
})
