import { I18nextProvider } from 'react-i18next'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createTestConnection } from '../account-connection/testing.ts'
import { ConnectionContext } from '../account-connection/use-connection.ts'
import { aContact, aView } from '../home/messaging/testing.ts'
import { SiteContext } from '../site/use-site.ts'
import { checkAppearance, checkFit } from '../testing/appearance.ts'
import { focus, renderHome } from '../testing/home.tsx'
import { checkKeyboardEverywhere } from '../testing/keyboard.ts'
import { PHONE, render, type Size } from '../testing/render.tsx'
import { IncomingCall } from './IncomingCall.tsx'
import { InviteToRoom } from './InviteToRoom.tsx'
import { ring } from './ringer.ts'
import { aCall, anOwnCall } from './testing/call.ts'

const SIZES: readonly Size[] = [PHONE, [390, 844], [844, 390]]
const contacts = [aContact(8, { display_name: 'Ben' }), aContact(9, { display_name: 'Cara' })]
const ended = anOwnCall('1', { state: 'ended', reason: 'cancelled', ended_at_ms: 2_000 })
const missed = aCall('2', { state: 'ended', reason: 'missed', ended_at_ms: 2_000 })

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const choice = (name: RegExp) => dialog.getByRole('checkbox', { name })

/** Anna's page; it has her calls, and what she does to them is in `control.commands`. */
async function openPage(path = '/calls', options: Parameters<typeof renderHome>[1] = {}) {
  const home = await renderHome(path, {
    ...options,
    view: { contacts, ...options.view },
    commands: {
      'call.list': () => ({ calls: [missed, ended], has_more: false }),
      'call.get': () => ({ call: ended }),
      'call.invite': () => ({ call: anOwnCall('3', { people: [] }) }),
      ...options.commands,
    },
  })
  const incoming = page.getByRole('region', { name: /^(Incoming call|Входящий звонок)$/ })
  const namesOf = () => home.control.commands.map(({ name }) => name).filter(name => name.startsWith('call.'))
  return { ...home, incoming, namesOf }
}

describe('an incoming call', () => {
  it('takes no key that was meant for a field', async () => {
    const { setView, incoming } = await openPage('/meetings')
    const field = page.getByRole('textbox', { name: 'Title of the new meeting' })
    await field.click()
    await userEvent.keyboard('some')
    setView({ calls: [aCall('5')] })
    await expect.element(incoming).toBeVisible()
    await userEvent.keyboard('thing ')
    await expect.element(field).toHaveValue('something ')
    setView({ calls: [] })
    await expect.element(incoming).not.toBeInTheDocument()
  })

  it('has the focus otherwise; Escape silences it only, and Enter answers after a moment', async () => {
    const { setView, incoming, namesOf } = await openPage()
    await focus(page.getByRole('link', { name: 'Calls' }))
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    setView({ calls: [aCall('5')] })
    await expect.element(incoming).toBeVisible()
    await expect.poll(() => document.activeElement?.textContent).toContain('Answer')
    await userEvent.keyboard('{Enter}{Escape}')
    await expect.element(incoming).toBeVisible()
    await expect.poll(() => localStorage.getItem('lectern.silenced-call')).toBe('5')
    expect(namesOf()).not.toContain('call.accept')
    now.mockReturnValue(2_000)
    await userEvent.keyboard('{Enter}')
    await expect.poll(namesOf).toContain('call.accept')
    now.mockRestore()
  })

  it('lies above an open dialog, which stays', async () => {
    const { setView, incoming } = await openPage()
    await button('New call').click()
    setView({ calls: [aCall('5')] })
    await expect.element(incoming).toBeVisible()
    setView({ calls: [] })
    await expect.element(page.getByRole('dialog', { name: 'New call' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
  })
})

describe('several people', () => {
  it('are chosen by search and keyboard, and called together', async () => {
    const { control } = await openPage()
    await button('New call').click()
    await dialog.getByRole('button', { name: 'Video call' }).click()
    await expect.element(page.getByText('Choose whom to call.')).toBeVisible()
    const search = dialog.getByRole('searchbox', { name: 'Search contacts' })
    await search.fill('CAR')
    await choice(/^Cara/).click()
    await expect.element(choice(/^Ben/)).not.toBeInTheDocument()
    await search.fill('')
    await expect.element(choice(/^Ben/)).toBeVisible()
    await focus(choice(/^Ben/))
    await userEvent.keyboard(' ')
    await expect.element(page.getByText('Chosen (2 of at most 20): Cara and Ben')).toBeVisible()
    await checkAppearance('choose', { sizes: SIZES })
    await dialog.getByRole('button', { name: 'Audio call' }).click()
    await expect.poll(() => control.bodies('call.invite')).toEqual([{ user_ids: ['9', '8'], video: false }])
  })
})

it('rings quietly in all tabs while one of them is in a conference', async () => {
  const opened: AudioContext[] = []
  class Recorded extends AudioContext {
    constructor() {
      super()
      opened.push(this)
    }
  }
  vi.stubGlobal('AudioContext', Recorded)
  onTestFinished(() => void vi.unstubAllGlobals())
  const areClosed = () => opened.map(({ state }) => state === 'closed')
  const [loud, quiet, later] = [new AbortController(), new AbortController(), new AbortController()]
  const rings = [ring('incoming', loud.signal)]
  await expect.poll(areClosed).toEqual([false])
  rings.push(ring('waiting', quiet.signal))
  await expect.poll(areClosed).toEqual([true, false])
  rings.push(ring('incoming', later.signal))
  later.abort()
  quiet.abort()
  await Promise.all(rings)
  await expect.poll(areClosed).toEqual([true, true])
})

describe('missed calls', () => {
  it.each(['/calls', '/'])('are seen at %s once the page is visible', async path => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const people = [{ user_id: '7', display_name: 'Anna', state: 'missed' }]
    const commands = { 'call.list': () => ({ calls: [{ ...missed, people }], has_more: false }) }
    const { control, setView } = await openPage(path, { commands })
    await expect.element(page.getByRole('listitem').getByText('Missed call')).toBeVisible()
    setView({ missed_calls: 1 })
    control.emit('call.unseen', { missed_calls: 1 })
    expect(control.bodies('call.seen')).toEqual([])
    visibility.mockRestore()
    document.dispatchEvent(new Event('visibilitychange'))
    expect(control.bodies('call.seen')).toEqual([{ call_id: '2' }])
  })
})

describe('people who are called into a room', () => {
  it('are shown until they come, and are not offered once they are inside', async () => {
    const { control, connection } = createTestConnection()
    control.view.set(aView({ contacts }))
    connection.open()
    const show = (inside: string[]) => (
      <ConnectionContext value={connection}>
        <aside>
          <InviteToRoom tag="round" insideIds={new Set(inside)} />
        </aside>
      </ConnectionContext>
    )
    const screen = await render(show(['7']))
    await button('Call people into the meeting').click()
    for (const name of [/^Ben/, /^Cara/]) await choice(name).click()
    await dialog.getByRole('button', { name: 'Call', exact: true }).click()
    expect(control.bodies('call.invite')).toMatchObject([{ user_ids: ['8', '9'] }])
    const change = (ofBen: 'ringing' | 'declined') =>
      control.emit('call.changed', {
        call: anOwnCall('4', {
          conference_tag: 'round',
          people: [
            { user_id: '8', display_name: 'Ben', state: ofBen },
            { user_id: '9', display_name: 'Cara', state: 'ringing' },
          ],
        }),
      } as never)
    const called = page.getByRole('list', { name: 'People who were called' }).getByRole('listitem')
    change('ringing')
    await expect.element(called.filter({ hasText: 'Ben' }).getByText('Ringing')).toBeVisible()
    change('declined')
    await expect.element(called.filter({ hasText: 'Ben' }).getByText('Declined')).toBeVisible()
    await checkAppearance('invited', { selector: 'aside' })
    await screen.rerender(
      <I18nextProvider i18n={screen.site.language.texts}>
        <SiteContext value={screen.site}>{show(['7', '9'])}</SiteContext>
      </I18nextProvider>,
    )
    await expect.element(called.filter({ hasText: 'Cara' })).not.toBeInTheDocument()
    await button('Call people into the meeting').click()
    await expect.element(choice(/^Ben/)).toBeVisible()
    expect(choice(/^Cara/).elements()).toEqual([])
    connection.close()
  })

  it('have a banner about a second call, which fits above the room', async () => {
    const { connection } = createTestConnection()
    await render(
      <ConnectionContext value={connection}>
        <IncomingCall call={aCall('5')} isInRoom />
      </ConnectionContext>,
      { language: 'ru' },
    )
    await expect.element(page.getByRole('region', { name: 'Входящий звонок' })).toBeVisible()
    await checkAppearance('banner', { selector: 'section', sizes: SIZES })
  })
})

describe('the pages of calls', () => {
  it.each(['en', 'ru'] as const)(
    'are reached by keyboard, accessible and fit every screen, in %s',
    async language => {
      const check = language === 'en' ? checkAppearance : checkFit // axe reads no words
      const { setView, incoming, route } = await openPage('/calls', { language })
      await expect
        .element(page.getByRole('list', { name: language === 'en' ? 'Calls' : 'Звонки' }))
        .toBeVisible()
      if (language === 'en') await checkKeyboardEverywhere()
      await check('list', { sizes: SIZES })
      setView({
        calls: [
          aCall('5', {
            people: [...aCall('5').people, { user_id: '9', display_name: 'Cara', state: 'ringing' }],
          }),
        ],
      })
      await expect.element(incoming).toBeVisible()
      await check('incoming', { sizes: SIZES })
      const ringing = anOwnCall('6', {
        people: [...anOwnCall('6').people, { user_id: '9', display_name: 'Cara', state: 'declined' }],
      })
      setView({ calls: [ringing] })
      route.go('/calls/6')
      const cancel = button(language === 'en' ? 'Cancel call' : 'Отменить звонок')
      await expect.element(cancel).toBeVisible()
      await check('outgoing', { sizes: SIZES })
      // Without scrolling in a window of this size.
      await page.viewport(844, 390)
      expect(cancel.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(390)
      expect(document.documentElement.scrollHeight).toBe(390)
      setView({ calls: [] })
      route.go('/calls/1')
      await expect.element(cancel).not.toBeInTheDocument()
      await check('ended', { sizes: SIZES })
    },
  )
})
