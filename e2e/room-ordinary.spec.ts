import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { type Tab, useBrowser } from './support/browser.ts'
import { JobWorker } from './support/job-worker.ts'
import { useLectern } from './support/lectern.ts'
import { becomeGuest, type Member, useMembers } from './support/members.ts'
import { log, messageWith, openChat, sendMessage } from './support/panels.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

// One meeting of a user, who signs in on its page, and a guest without a page.

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser([], { keepsPagesOpen: true })
const enter = useMembers({ keepsMembers: true })

let anna: Credentials
let recorder: JobWorker
let transcriber: JobWorker
let meeting: Awaited<ReturnType<typeof createConference>>
let tab: Tab
let page: Page
let host: Visitor
let sam: Member
beforeAll(async () => {
  anna = await addUser(lectern, 'anna')
  meeting = await createConference(lectern, await signInAs(lectern, anna), 'Monday round')
  recorder = await JobWorker.start(lectern, 'recording')
  transcriber = await JobWorker.start(lectern, 'transcription')
  await transcriber.leaseJob(['de', 'en-US']) // makes the transcriber known to the server
  tab = await open(meeting.link)
  page = tab.page
})
afterAll(() => {
  recorder?.close()
  transcriber?.close()
})

const enterAs = async (name: string) =>
  enter({ url: lectern.url, tag: meeting.tag, account: await becomeGuest(lectern.url, name) })

describe('the sign-in of an ordinary room', () => {
  it('reports a wrong password', async () => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(page, { login: 'anna', password: 'not her password' })
    await page.getByRole('alert').getByText('Incorrect username or password.').waitFor()
  })

  it('is removed from the browser after a sign-out', async () => {
    await fillSignIn(page, anna)
    await page.getByText('Signed in as anna.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Have an account?').waitFor()
    await page.reload()
    await page.getByText('Have an account?').waitFor()
    expect(await page.evaluate(() => Object.keys(localStorage).filter(key => /account/.test(key)))).toEqual(
      [],
    )
  })

  it('makes the owner a remembered moderator', async () => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(page, anna)
    await page.getByText('Signed in as anna.').waitFor()
    await page.getByText('You join as Anna').waitFor()
    host = await Visitor.join(tab, { withoutDevices: true })
    await host.exitOptions.waitFor()
    await page.reload()
    await host.exitOptions.waitFor()
    // The refused sign-in, and the connections that the reload has cut.
    expect(tab.console.filter(line => !/WebSocket|401/.test(line))).toEqual([])
  })
})

describe('an ordinary room', () => {
  it('lets users edit and delete what they wrote', async () => {
    sam = await (await enterAs('Sam')).waitForJoin()
    await openChat(page)
    await sendMessage(page, 'a tipo')
    await sam.waitForView('the message', ({ messages }) => messages.some(({ text }) => text === 'a tipo'))
    const item = (text: string) => log(page).locator('[data-message]').filter({ hasText: text })
    await item('a tipo').getByRole('button', { name: 'Edit message' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Edit message' }).fill('a typo')
    await page.keyboard.press('Enter')
    await sam.waitForView('the edit', ({ messages }) => messages.some(({ text }) => text === 'a typo'))
    await item('a typo').getByRole('button', { name: 'Delete message' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await messageWith(page, 'Message deleted').waitFor()
    await sam.waitForView('the deletion', ({ messages }) => messages.every(({ deleted }) => deleted))
  })

  it('is recorded when a moderator starts it, with a notice for everybody, until it is stopped', async () => {
    await host.more('Record')
    await page.getByText('Waiting for the recorder…').waitFor()
    await host.more('Cancel recording')
    expect((await recorder.leaseJob())?.conference_tag).toBeUndefined()

    await host.more('Record')
    expect(await recorder.waitForJob(meeting.tag)).toMatchObject({ scope: 'manual', kind: 'recording' })
    await recorder.reportProgress(true)
    await page.getByTitle('This meeting is being recorded.').waitFor()
    await sam.waitForView('the recording', view => view.recording)
    await host.more('Stop recording')
    await page.getByRole('dialog').getByRole('button', { name: 'Stop recording' }).click()
    await waitFor(recorder.isStopping, 'the recorder is requested to stop')
    await recorder.finish()
    const isRecorded = () => page.getByTitle('This meeting is being recorded.').isVisible()
    await waitFor(async () => !(await isRecorded()), 'the recording is over')
  })

  it('transcribes speech, to read live and to download', async () => {
    await host.more('Transcript')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('German')
    await page.getByRole('checkbox', { name: 'Live transcript' }).check()
    expect((await transcriber.waitForJob(meeting.tag)).params).toEqual({ language: 'de' })
    await transcriber.reportProgress(true)
    await page.getByTitle('Live transcript is on.').waitFor()
    await page.getByRole('checkbox', { name: 'Captions' }).check()

    const speaker = sam.view?.participants.find(each => each.participant_id === sam.id)
    if (!speaker) throw new Error('Sam has not joined.')
    await transcriber.sendPhrase(speaker, 'good mor', false)
    await page.locator('main').getByText('good mor').waitFor()
    await transcriber.sendPhrase(speaker, 'Good morning, everybody.', true)
    const text = page.getByRole('region', { name: 'Transcript text' })
    await text.getByText('Good morning, everybody.').waitFor()
    await page.locator('main').getByText('Good morning, everybody.').waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download .vtt' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Monday-round.vtt')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^WEBVTT\n\n[\d:.]+ --> [\d:.]+\n<v Sam>Good morning, everybody\.\n/,
    )
    await page.getByRole('checkbox', { name: 'Live transcript' }).uncheck()
    await waitFor(transcriber.isStopping, 'the transcriber is requested to stop')
    await transcriber.finish()
  })

  it('keeps guests in the lobby if its owner so chooses, until the owner admits them', async () => {
    await page.goto(`${lectern.url}/meetings`)
    await page.getByRole('textbox', { name: 'Title of the new meeting' }).fill('Interview')
    await page
      .locator('form')
      .getByRole('checkbox', { name: 'Waiting room: you admit each participant' })
      .check()
    await page.getByRole('button', { name: 'Create' }).click()
    const link = await page.getByRole('link', { name: 'Interview' }).getAttribute('href')
    if (!link) throw new Error('The conference has no link.')
    await page.goto(new URL(link, lectern.url).href)
    await Visitor.join(tab, { withoutDevices: true })
    const tag = link.split('/').at(-1) ?? ''
    const guest = enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url, 'Lea') })
    await guest.enterLobby()
    await page.getByRole('button', { name: 'Admit Lea' }).click()
    await guest.joinAdmitted()
  })

  it('keeps the theme and the language that are chosen in its settings', async () => {
    await page.keyboard.press(',')
    await page.getByRole('tab', { name: 'Language and look' }).click()
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ru')
    await page.getByRole('tab', { name: 'Язык и вид' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Выйти', exact: true }).click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByRole('main').getByRole('button', { name: 'Главная' }).click()
    await page.getByRole('heading', { level: 1, name: 'Чаты' }).waitFor()
  })
})
