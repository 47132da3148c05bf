import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance } from './support/appearance.ts'
import { FAKE_DEVICES, useBrowser, withBlockedStorage } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { JobWorker } from './support/job-worker.ts'
import { useLectern } from './support/lectern.ts'
import { type Account, becomeGuest, useMembers } from './support/members.ts'
import { log, messageWith, openChat, sendMessage } from './support/panels.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES)
const enter = useMembers()
const makeFolder = useFolders()
const shoot = screenshotsOf('ordinary')
const SIZES = [
  ['phone', 360, 740],
  ['small-phone', 320, 568],
] as const

let anna: Credentials
let account: Account
let recorder: JobWorker
let transcriber: JobWorker
beforeAll(async () => {
  anna = await addUser(lectern, 'anna')
  account = await signInAs(lectern, anna)
  recorder = await JobWorker.start(lectern, 'recording')
  transcriber = await JobWorker.start(lectern, 'transcription')
})
afterAll(() => {
  recorder?.close()
  transcriber?.close()
})

const makeRoom = (by = account) => createConference(lectern, by, 'Monday round')

/** The owner, who signs in on the prejoin screen. */
async function owner(link: string, options?: BrowserContextOptions, credentials = anna) {
  const tab = await open(link, options)
  await signInToJoin(tab.page, credentials)
  return Visitor.join(tab)
}

async function signInToJoin(page: Page, credentials = anna) {
  await page.getByRole('button', { name: 'Sign in' }).click()
  await fillSignIn(page, credentials)
  await page.getByText(`Signed in as ${credentials.login}.`).waitFor()
}

const guest = async (link: string, name = 'Sam') => Visitor.join(await open(link), { name })

describe('the chat of an ordinary room', () => {
  it('lets users edit and delete what they wrote, by mouse and by keyboard, and nobody else', async () => {
    const { link } = await makeRoom()
    const { page } = await owner(link)
    const { page: sams } = await guest(link)
    for (const each of [page, sams]) await openChat(each)
    await sendMessage(page, 'a tipo')
    await sendMessage(page, 'a secret')
    await messageWith(sams, 'a secret').waitFor()
    expect(await sams.getByRole('button', { name: 'Edit message' }).count()).toBe(0)

    const item = (text: string) => log(page).locator('[data-message]').filter({ hasText: text })
    await item('a tipo').hover()
    await item('a tipo').getByRole('button', { name: 'Edit message' }).click()
    await page.getByRole('textbox', { name: 'Edit message' }).press('Escape')
    await item('a tipo').getByRole('button', { name: 'Edit message' }).focus() // the panel is still open
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Edit message' }).fill('a typo')
    await page.keyboard.press('Enter')
    for (const each of [page, sams]) {
      await messageWith(each, 'a typo').waitFor()
      expect(await messageWith(each, 'a tipo').count()).toBe(0)
    }
    await item('a secret').getByRole('button', { name: 'Delete message' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    for (const each of [page, sams]) {
      await messageWith(each, 'Message deleted').waitFor()
      expect(await messageWith(each, 'a secret').count()).toBe(0)
    }
    await checkAppearance(page, 'edited-chat', { shoot, sizes: SIZES })
  })
})

describe('the sign-in of an ordinary room', () => {
  it('lets the owner sign in by keyboard only, as a remembered moderator', async () => {
    const { link } = await makeRoom()
    const tab = await open(link)
    const { page } = tab
    await page.getByRole('button', { name: 'Sign in' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Username' }).focus()
    await page.keyboard.type(anna.login)
    await page.keyboard.press('Tab')
    await page.keyboard.type(anna.password)
    await page.keyboard.press('Enter')
    await page.getByText('Signed in as anna.').waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('Anna')

    const visitor = await Visitor.join(tab)
    await visitor.button('End for all').waitFor()
    await page.reload()
    await visitor.button('End for all').waitFor()
    expect(tab.console.filter(line => !line.includes('WebSocket'))).toEqual([])
  })

  it('reports a wrong password, and still admits guests', async () => {
    const { link } = await makeRoom()
    const tab = await open(link)
    const { page } = tab
    await page.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(page, { login: 'anna', password: 'not her password' })
    await page.getByRole('alert').getByText('Incorrect username or password.').waitFor()
    await page.getByRole('button', { name: 'Continue as guest' }).click()
    const visitor = await Visitor.join(tab, { name: 'Sam' })
    expect(await visitor.button('End for all').count()).toBe(0)
    expect(await visitor.button('Record').count()).toBe(0)
  })

  it('removes the stored account after a sign-out', async () => {
    const { link } = await makeRoom()
    const { page } = await open(link)
    await signInToJoin(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Have an account?').waitFor()
    await page.reload()
    await page.getByText('Have an account?').waitFor()
    expect(await page.evaluate(() => Object.keys(localStorage).filter(key => /account/.test(key)))).toEqual(
      [],
    )
  })

  it('works where the browser blocks all storage', async () => {
    const { link } = await makeRoom()
    const checkJoin = async (tab: Parameters<typeof Visitor.join>[0]) => {
      await tab.page.goto(link)
      await signInToJoin(tab.page)
      const { button } = await Visitor.join(tab)
      await button('End for all').waitFor()
    }
    await withBlockedStorage(makeFolder(), checkJoin, FAKE_DEVICES)
  })

  it('has no accessibility violation and fits every screen', async () => {
    const { link } = await makeRoom()
    const { page } = await open(link, { reducedMotion: 'reduce' })
    await page.getByText('Have an account?').waitFor()
    await checkAppearance(page, 'prejoin', { shoot, sizes: SIZES })
    await page.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(page, { login: 'anna', password: 'wrong password' })
    await page.getByRole('alert').getByText('Incorrect username or password.').waitFor()
    await checkAppearance(page, 'prejoin-sign-in', { shoot, sizes: SIZES })
  })
})

describe('an ordinary room', () => {
  it('keeps guests in the lobby if its owner so chooses, until the owner admits them', async () => {
    const { page } = await open(`${lectern.url}/meetings`)
    await fillSignIn(page, anna)
    await page.getByRole('textbox', { name: 'Title of the new meeting' }).fill('Interview')
    await page
      .locator('form')
      .getByRole('checkbox', { name: 'Waiting room: you admit each participant' })
      .check()
    await page.getByRole('button', { name: 'Create' }).click()
    const link = await page.getByRole('link', { name: 'Interview' }).getAttribute('href')
    if (!link) throw new Error('The conference has no link.')
    const host = await owner(link)
    const sam = await open(link)
    await sam.page.getByRole('textbox', { name: 'Your name' }).fill('Sam')
    await sam.page.getByRole('button', { name: 'Join' }).click()
    await sam.page.getByRole('heading', { level: 1, name: 'The moderator will let you in soon' }).waitFor()
    await host.page.getByRole('button', { name: 'Admit Sam' }).click()
    await sam.page.getByRole('button', { name: 'Chat' }).waitFor()
  })

  it('begins with a grid, and switches to the next layout with a key', async () => {
    const { link } = await makeRoom()
    const [host] = [await owner(link), await guest(link), await guest(link, 'Lea')]
    await Promise.all([host.waitForVideo('Sam'), host.waitForVideo('Lea')])
    const shares = () => Promise.all(['Sam', 'Lea'].map(name => host.stageShare(host.tiles(name))))
    const isLarge = async () => Math.max(...(await shares())) > 0.5
    await waitFor(async () => Math.max(...(await shares())) < 0.3, 'all are equal')
    await checkAppearance(host.page, 'grid', { shoot, sizes: SIZES })
    await host.page.keyboard.press('g')
    await waitFor(isLarge, 'one is large')
  })

  it('has a main menu', async () => {
    // Of an own account, which keeps the language.
    const olga = await addUser(lectern, 'olga')
    const { link } = await makeRoom(await signInAs(lectern, olga))
    const { page } = await owner(link, { reducedMotion: 'reduce' }, olga)
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.click()
    await page.getByText('Signed in as olga').waitFor()
    await checkAppearance(page, 'menu', { shoot, sizes: SIZES })
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('dialog').getByText('Raise or lower your hand').waitFor()
    await checkAppearance(page, 'shortcuts', { shoot, sizes: SIZES })
    await page.keyboard.press('Escape')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Options', exact: true }).click()
    await page.getByRole('button', { name: 'Copy invitation link' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    await page.keyboard.press('Escape')

    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const before = await paper()
    await menu.click()
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await paper()).not.toBe(before)
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ru')
    await page.getByRole('region', { name: 'Меню' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('region', { name: 'Меню' }).count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Меню' }).waitFor()
    expect(await paper()).not.toBe(before)
    await page.getByRole('button', { name: 'Меню' }).click()
    await page.getByRole('button', { name: 'Главная' }).click()
    await page.getByRole('heading', { level: 1, name: 'Чаты' }).waitFor()
  })

  it('is recorded when a moderator starts it, with a notice for everybody', async () => {
    const { tag, link } = await makeRoom()
    const [host, sam] = [await owner(link), await guest(link)]
    await host.button('Record').click()
    await host.page.getByText('Waiting for the recorder…').waitFor()
    expect(await sam.page.getByTitle('This meeting is being recorded.').count()).toBe(0)
    await shoot(host.page, 'waiting')

    expect(await recorder.waitForJob(tag)).toMatchObject({ scope: 'manual', kind: 'recording' })
    await recorder.reportProgress(true)
    for (const { page } of [host, sam]) await page.getByTitle('This meeting is being recorded.').waitFor()
    expect(await host.page.getByText('Waiting for the recorder…').count()).toBe(0)
    await checkAppearance(host.page, 'recording', { shoot, sizes: SIZES })

    await host.button('Stop recording').click()
    const dialog = host.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await recorder.isStopping()).toBe(false)
    await host.button('Stop recording').click()
    await dialog.getByRole('button', { name: 'Stop recording' }).click()
    await waitFor(recorder.isStopping, 'the recorder is requested to stop')
    await recorder.finish()
    await waitFor(
      async () => (await host.page.getByTitle('This meeting is being recorded.').count()) === 0,
      'REC',
    )
    await host.button('Record').waitFor()
  })

  it('is not recorded when the pending start is cancelled, also on a phone', async () => {
    const { tag, link } = await makeRoom()
    const host = await owner(link, { viewport: { width: 320, height: 568 } })
    await host.button('More').click()
    await shoot(host.page, 'drawer')
    const box = await host.button('Share screen').boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    await host.button('Record').click()
    await host.page.getByText('Waiting for the recorder…').waitFor()
    await host.button('More').click()
    await host.button('Cancel recording').click()
    await host.button('More').click()
    await host.button('Record').waitFor()
    expect((await recorder.leaseJob())?.conference_tag).not.toBe(tag)
    await host.button('Leave').click()
    await host.page.getByRole('button', { name: 'Home' }).click()
    await host.page.getByRole('link', { name: 'Meetings' }).click()
    await host.page.getByRole('heading', { name: 'Your meetings' }).waitFor()
  })

  it('transcribes speech, to read live and to download', async () => {
    const { tag, link } = await makeRoom()
    await transcriber.leaseJob(['de', 'en-US']) // makes the transcriber known to the server
    const host = await owner(link)
    const sam = await enter({
      url: lectern.url,
      tag,
      account: await becomeGuest(lectern.url, 'Sam'),
    }).waitForJoin()
    await host.button('Transcript').click()
    const language = host.page.getByRole('combobox', { name: 'Language' })
    expect(await language.locator('option').allTextContents()).toEqual(['German', 'American English'])
    await checkAppearance(host.page, 'transcript-languages', { shoot, sizes: SIZES })
    await language.selectOption('German')
    await host.page.getByRole('checkbox', { name: 'Live transcript' }).check()
    expect((await transcriber.waitForJob(tag)).params).toEqual({ language: 'de' })
    await transcriber.reportProgress(true)
    await host.page.getByTitle('Live transcript is on.').waitFor()
    await host.page.getByRole('checkbox', { name: 'Captions' }).check()

    const { participants } = await sam.waitForView('everybody', view => view.participants.length === 2)
    const speaker = participants.find(each => each.participant_id === sam.id)
    if (!speaker) throw new Error('Sam has not joined.')
    await transcriber.sendPhrase(speaker, 'good mor', false)
    await host.page.locator('main').getByText('good mor').waitFor()
    await transcriber.sendPhrase(speaker, 'Good morning, everybody.', true)
    await transcriber.sendPhrase(speaker, 'Let us begin with the last question of the homework.', true)
    const log = host.page.getByRole('region', { name: 'Transcript text' })
    await log.getByText('Good morning, everybody.').waitFor()
    await host.page.locator('main').getByText('Good morning, everybody.').waitFor()
    expect(await log.getByText('good mor', { exact: false }).count()).toBe(1)
    // Captions are at most two lines, below all videos.
    const captions = await host.page.evaluate(() => {
      const [box] = document.querySelectorAll('main [data-lines]')
      const [stage] = document.querySelectorAll('main section')
      if (!box || !stage) return null
      const height = [...box.children].reduce((sum, each) => sum + each.getBoundingClientRect().height, 0)
      return {
        isBelow: box.getBoundingClientRect().top >= stage.getBoundingClientRect().bottom,
        lines: Math.round(height / Number.parseFloat(getComputedStyle(box).lineHeight)),
      }
    })
    expect(captions?.isBelow).toBe(true)
    expect(captions?.lines).toBeLessThanOrEqual(2)
    // Both indicators and the menu have their place on the smallest phone.
    await host.button('Record').click()
    await recorder.waitForJob(tag)
    await recorder.reportProgress(true)
    await host.page.getByTitle('This meeting is being recorded.').waitFor()
    await checkAppearance(host.page, 'transcript', { shoot, sizes: SIZES })
    // A notice on it covers neither.
    const size = host.page.viewportSize()
    await host.page.setViewportSize({ width: 320, height: 568 })
    const name = 'Wolfeschlegelsteinhausenbergerdorff'
    const late = enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url, name) })
    const notice = host.page.locator('header p', { hasText: `${name} joined` })
    await notice.waitFor()
    const [box, rec] = [
      await notice.boundingBox(),
      await host.page.getByTitle('This meeting is being recorded.').boundingBox(),
    ]
    expect((box?.x ?? 320) + (box?.width ?? 320)).toBeLessThanOrEqual(rec?.x ?? 0)
    late.leave()
    if (size) await host.page.setViewportSize(size)
    await recorder.finish()

    const [download] = await Promise.all([
      host.page.waitForEvent('download'),
      host.page.getByRole('button', { name: 'Download .vtt' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Monday-round.vtt')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^WEBVTT\n\n[\d:.]+ --> [\d:.]+\n<v Sam>Good morning, everybody\.\n/,
    )
    await host.page.getByRole('checkbox', { name: 'Live transcript' }).uncheck()
    await waitFor(transcriber.isStopping, 'the transcriber is requested to stop')
    await transcriber.finish()
  })
})
