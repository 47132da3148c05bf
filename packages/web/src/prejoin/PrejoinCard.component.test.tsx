import { describe, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { noBackground } from '../devices/background/effect.ts'
import { Devices } from '../devices/devices.ts'
import { noSuppressor } from '../devices/noise-suppressor.ts'
import type { FakeDevices } from '../devices/testing.ts'
import type { Invitation } from '../link/invitation.ts'
import { LinkPage } from '../link/LinkPage.tsx'
import { Link } from '../link/link.ts'
import { anInvitation } from '../link/testing.ts'
import { ModuleLoader } from '../module-loader.ts'
import { checkAppearance } from '../testing/appearance.ts'
import { FakeApi, refused } from '../testing/fake-api.ts'
import { checkKeyboard } from '../testing/keyboard.ts'
import { DESKTOP, PHONE, type RenderOptions, render, type Size } from '../testing/render.tsx'
import { createTestSite } from '../testing/test-site.ts'
import { playableDevices, playableTrack } from '../testing/tracks.ts'
import { PrejoinCard } from './PrejoinCard.tsx'

const SIZES = [PHONE, DESKTOP]
const START = Date.parse('2031-05-14T09:30:00Z')
const END = Date.parse('2031-05-14T10:15:00Z')
const TWO_LINES = 'English B1 — Unit 7: Reported speech, and what else Anna said'
/** Phones with their browser around the page, and usual frames. */
const SMALL: readonly Size[] = [
  [390, 664],
  [360, 640],
  [320, 568],
  [844, 340],
  [720, 405],
  [720, 450],
  [800, 600],
  // The default height of <lectern-room>.
  [320, 576],
  [600, 576],
  [1024, 576],
]
const LONG_NAME = 'Maximiliane Hohenwart-Schönenberg de la Torre y Villanueva'
const ANNA = { role: 'teacher', name: 'Anna Petrova', personal: true } as const

interface Options extends RenderOptions {
  invitation?: Partial<Invitation>
  devices?: FakeDevices
  /** The level of the microphone, 0 to 1. */
  level?: number
  api?: FakeApi
  isElsewhere?: boolean
}

/** The prejoin screen of a personal link, with devices that open unless the test blocks them. */
async function show({
  invitation: parts,
  devices: port = playableDevices('camera A', 'microphone A', 'microphone B', 'speaker A'),
  level = 0,
  api = new FakeApi(),
  isElsewhere = false,
  ...options
}: Options = {}) {
  const site = await createTestSite(options.language, { api })
  const devices = new Devices(
    port,
    (_, listener) => {
      listener(level)
      return () => {}
    },
    () => localStorage,
    noSuppressor,
    { ...noBackground, isSupported: () => true },
  )
  const invitation = anInvitation({ startsAt: START, endsAt: END, invitee: ANNA, ...parts })
  const link = new Link(async () => ({ is: 'open', invitation }))
  await link.open()
  const joined: string[] = []
  await render(
    <LinkPage
      link={link}
      isPersonal={invitation.invitee !== null}
      open={each => (
        <PrejoinCard
          invitation={each}
          isElsewhere={isElsewhere}
          name={each.invitee?.name ?? ''}
          account={site.account}
          devices={devices}
          onJoin={name => joined.push(name)}
          onApproach={() => {}}
        />
      )}
    />,
    { ...options, site: { ...options.site, api, account: site.account } },
  )
  void devices.start()
  return { devices, port, joined, site }
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const name = page.getByRole('textbox', { name: 'Your name' })
const devicesAreReady = (denied: boolean) =>
  denied
    ? document.querySelector('.lucide-triangle-alert') !== null
    : (document.querySelector('video')?.videoWidth ?? 0) > 0
/** The button that submits, whatever it says. */
const isJoinInView = () => {
  const { top, bottom } = document.querySelector('[type=submit]')?.getBoundingClientRect() ?? new DOMRect()
  return bottom > 0 && top >= 0 && bottom <= innerHeight
}
const text = () => document.querySelector('main')?.textContent ?? ''

describe('the prejoin screen', () => {
  it('shows the room, its times, and the name and role of the person in the link', async () => {
    await show()
    await expect.element(page.getByRole('heading', { level: 1, name: 'Algebra' })).toBeVisible()
    expect(text()).toMatch(/14 May 2031/)
    expect(text()).toMatch(/11:30\s?–\s?12:15/) // in Berlin
    expect(text()).toContain('Central European Summer Time (GMT+2)')
    expect(text()).toContain('Anna Petrova')
    expect(text()).toContain('Teacher')
    expect(text()).toContain('This link is personal.')
    expect(document.title).toBe('Algebra')
    await expect.element(page.getByText('You join as Anna Petrova')).toBeVisible()
  })

  it('shows that a link without a person, or with a name only, is not personal', async () => {
    await show({ invitation: { invitee: { role: 'student', name: 'Mia Andersson', personal: false } } })
    await expect.element(page.getByText('You join as Mia Andersson')).toBeVisible()
    expect(text()).toContain('Student')
    expect(text()).not.toContain('This link is personal.')
  })

  it.each([
    [['Anna'], 1, 'Anna is here'],
    [['Anna', 'Ben'], 2, 'Anna and Ben are here'],
    [['Anna', 'Ben'], 9, 'Anna, Ben and 7 more are here'],
  ])('says who is there: %s of %i', async (names, count, words) => {
    await show({ invitation: { live: true, inside: { names, count } } })
    await expect.poll(() => text().replaceAll(/[\u2068\u2069]/g, '')).toContain(words)
  })

  it.each([
    ['lesson', true],
    ['meeting', false],
  ])('is about a %s, whose room a partner has created: %s', async (meeting, isPartnerRoom) => {
    const invitation = {
      isPartnerRoom,
      isRecorded: true,
      description: 'Bring a ruler.',
      startsAt: null,
      endsAt: null,
    }
    await show({ invitation, isElsewhere: true })
    for (const words of [
      `Nobody is in the ${meeting}`,
      `About this ${meeting}`,
      `This ${meeting} is recorded automatically`,
      `You are in this ${meeting} in another tab.`,
    ])
      await expect.element(page.getByText(words)).toBeVisible()
    await checkAppearance('second tab', { sizes: SIZES })
  })

  it('shows what the meeting is about, a long description after a press', async () => {
    await show({ invitation: { description: `Bring a ruler.\n${'And a pencil. '.repeat(40)}The end.` } })
    const about = page.getByText('Bring a ruler.')
    const height = () => about.element().getBoundingClientRect().height
    await expect.element(about).toBeVisible()
    await checkAppearance('description', { sizes: SIZES })
    const short = height()
    await button('Show all').click()
    expect(height()).toBeGreaterThan(short)
    await button('Show less').click()
    expect(height()).toBe(short)
  })

  it('has no accessibility violation, fits every screen, and is reached by the Tab key', async () => {
    await show({ level: 0.8, invitation: { isRecorded: true } })
    await expect.poll(() => document.querySelector('video')?.videoWidth).toBeGreaterThan(0)
    await expect.element(page.getByText('Your microphone works')).toBeVisible()
    await expect.element(page.getByText('This lesson is recorded automatically')).toBeVisible()
    for (const size of SIZES) {
      await page.viewport(...size)
      await checkKeyboard()
      await checkAppearance('open', { sizes: SIZES })
    }
  })

  it('is mirrored in Arabic', async () => {
    await show({ language: 'ar' })
    await expect.element(button('انضمام')).toBeVisible()
    expect(document.documentElement.dir).toBe('rtl')
    await checkAppearance('arabic', { sizes: SIZES })
  })

  it('is in Russian, with its formats of dates', async () => {
    await show({ language: 'ru' })
    await expect.element(page.getByText('Преподаватель')).toBeVisible()
    expect(text()).toContain('14 мая 2031')
  })

  it('asks for a missing name, by keyboard only', async () => {
    const { joined } = await show({ invitation: { invitee: null } })
    for (let presses = 0; document.activeElement !== name.element(); presses++) {
      expect(presses).toBeLessThan(10)
      await userEvent.keyboard('{Tab}')
    }
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Enter your name')).toBeVisible()
    await userEvent.keyboard('Sam{Enter}')
    expect(joined).toEqual(['Sam'])
  })

  it('lets people change the name in their link, by keyboard only', async () => {
    const { joined } = await show()
    button('Change').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(name).toHaveFocus()
    await expect.element(name).toHaveValue('Anna Petrova')
    await userEvent.keyboard('Anna P.{Enter}')
    expect(joined).toEqual(['Anna P.'])
  })

  it('switches camera and microphone off and on', async () => {
    await show()
    await button('Turn off camera').click()
    await expect.element(page.getByText('Camera is off')).toBeVisible()
    expect(document.querySelector('video')).toBeNull()
    await button('Turn off microphone').click()
    await expect.element(page.getByText('You will join without camera and microphone')).toBeVisible()
    await button('Turn on camera').click()
    await expect.poll(() => document.querySelector('video')?.videoWidth).toBeGreaterThan(0)
  })

  it('remembers the selected device', async () => {
    await show()
    button('Settings').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Check connection')).toBeVisible()
    await checkAppearance('settings', { sizes: SIZES })
    const microphone = page.getByRole('combobox', { name: 'Microphone' })
    await expect.element(microphone).toHaveValue('id of microphone A')
    microphone.element().focus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(microphone).toHaveValue('id of microphone B')
    await expect.poll(() => JSON.stringify({ ...localStorage })).toContain('id of microphone B')
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Settings')).toHaveFocus()
  })

  it('numbers devices that have no name', async () => {
    const port = playableDevices('camera A', 'camera B')
    port.list = async () => ['A', 'B'].map(id => ({ kind: 'camera', id: `id of camera ${id}`, label: '' }))
    await show({ devices: port })
    await button('Settings').click()
    const camera = page.getByRole('combobox', { name: 'Camera' })
    await expect.element(camera).toHaveTextContent(/Camera 1.*Camera 2/)
  })

  it.each([
    ['', {}],
    [' of devices that are denied', { denied: true }],
    [' in Arabic', { language: 'ar' }],
    [' of devices that are denied, in German', { language: 'de', denied: true }],
    [' for somebody without a name', { invitation: { invitee: null } }],
    [' in a second tab, in German', { language: 'de', isElsewhere: true }],
  ] as const)('shows Join on small screens and in frames%s, without scrolling', async (_, options) => {
    const { denied = false, ...rest } = { denied: false, ...options }
    const port = playableDevices('camera A', 'microphone A')
    if (denied) Object.assign(port.permissions, { camera: 'denied', microphone: 'denied' })
    await show({
      ...rest,
      devices: port,
      invitation: {
        title: TWO_LINES,
        isRecorded: true,
        live: true,
        inside: { names: [LONG_NAME, LONG_NAME], count: 7 },
        description: 'Bring a ruler.\n'.repeat(20),
        ...('invitation' in rest && rest.invitation),
      },
    })
    await expect.poll(() => devicesAreReady(denied)).toBe(true)
    for (const size of SMALL) {
      await page.viewport(...size)
      await expect.poll(isJoinInView, { message: size.join(' × ') }).toBe(true)
    }
  })

  it('shows the level of the microphone', async () => {
    await show({ level: 0.8 })
    await expect.poll(() => document.querySelectorAll('[class*=_lit_]').length).toBeGreaterThan(3)
  })

  it('explains denied permission, and opens the devices as soon as it is granted', async () => {
    const port = playableDevices('camera A', 'microphone A')
    Object.assign(port.permissions, { camera: 'denied', microphone: 'denied' })
    const { joined } = await show({ devices: port })
    await expect.element(page.getByText('Camera and microphone: Access is blocked')).toBeVisible()
    await expect.element(page.getByText('allow access for this page')).toBeVisible()
    await checkKeyboard()
    await checkAppearance('refused', { sizes: SIZES })
    await button('Join without camera and microphone').click()
    expect(joined).toEqual(['Anna Petrova'])
    Object.assign(port.permissions, { camera: 'granted', microphone: 'granted' })
    port.changed()
    await expect.poll(() => document.querySelector('video')?.videoWidth).toBeGreaterThan(0)
  })

  it('says on a phone where permissions are there', async () => {
    const touch = (enabled: boolean) =>
      (cdp() as { send: (method: string, parameters: object) => Promise<unknown> }).send(
        'Emulation.setTouchEmulationEnabled',
        { enabled },
      )
    const port = playableDevices('camera A', 'microphone A')
    Object.assign(port.permissions, { camera: 'denied', microphone: 'denied' })
    await touch(true)
    try {
      expect(matchMedia('(pointer: coarse)').matches).toBe(true)
      await show({ devices: port })
      await expect.element(page.getByText('Open the menu beside the address')).toBeVisible()
      expect(page.getByText('Click the icon').query()).toBeNull()
    } finally {
      await touch(false)
    }
  })

  it('explains an iframe without device permission, and offers a new window', async () => {
    const port = playableDevices('camera A', 'microphone A')
    Object.assign(port.permissions, { camera: 'denied', microphone: 'denied' })
    port.refusal = 'refused_by_frame'
    await show({ devices: port })
    await expect.element(page.getByText('Access is blocked by the surrounding page')).toBeVisible()
    const way = page.getByRole('link', { name: 'Open in a new tab' })
    await expect.element(way).toHaveAttribute('href', location.href)
    await checkAppearance('in a frame')
  })

  it('says that the settings do not load, and loads them at the next press', async () => {
    let isMissing = true
    const prejoinSettings = new ModuleLoader({
      load: () => (isMissing ? Promise.reject(new Error('404')) : import('./SettingsDialog.tsx')),
      isServerReachable: async () => true,
      canReload: () => false,
      reload: () => {},
    })
    await show({ site: { prejoinSettings } })
    await button('Settings').click()
    await expect.element(page.getByRole('alert')).toBeVisible()
    await checkAppearance('settings do not load', { sizes: SIZES })
    isMissing = false
    await button('Settings').click()
    await expect.element(button('Check connection')).toBeVisible()
  })

  it.each([
    ['of a phone', 180, 320],
    ['of a desk', 320, 180],
  ])('shows the picture %s in its own shape, as large as the space allows', async (_, width, height) => {
    const port = playableDevices('camera A', 'microphone A')
    const { present } = port
    port.present = track => (track.kind === 'video' ? playableTrack('video', width, height) : present(track))
    await show({ devices: port })
    for (const size of [...SMALL, DESKTOP]) {
      await page.viewport(...size)
      const shape = () => {
        const box = document.querySelector('video')?.getBoundingClientRect() ?? new DOMRect()
        const space = document.querySelector('video')?.closest('[class*=_picture_]')?.getBoundingClientRect()
        // The line below the picture, or on a low page the controls beside it.
        const isLow = innerHeight < 34 * 16
        const fills =
          box.width > (space?.width ?? 0) - (isLow ? 258 : 2) ||
          box.height > (space?.height ?? 0) - (isLow ? 2 : 48)
        return fills && box.width / box.height
      }
      await expect.poll(shape, { message: size.join(' × ') }).toBeCloseTo(width / height, 1)
    }
  })

  it('offers to copy the link where the browser cannot join', async () => {
    const { RTCPeerConnection } = window
    Reflect.deleteProperty(window, 'RTCPeerConnection')
    try {
      await show()
      await expect.element(page.getByText('This browser is not supported')).toBeVisible()
      await expect.element(button('Join')).not.toBeInTheDocument()
      await checkKeyboard()
      await checkAppearance('unsupported', { sizes: SIZES })
      await button('Copy link to open elsewhere').click()
      await expect.element(page.getByText('Copied.')).toBeVisible()
      expect(await navigator.clipboard.readText()).toBe(location.href)
    } finally {
      Object.assign(window, { RTCPeerConnection })
    }
  })

  it('explains the permission prompt while it is open, and lets people join', async () => {
    const port = playableDevices('camera A', 'microphone A')
    port.open = () => new Promise(() => {})
    const { joined } = await show({ devices: port })
    await expect.element(page.getByText('Allow access to your camera and microphone')).toBeVisible()
    await checkAppearance('requesting', { sizes: SIZES })
    await button('Join').click()
    expect(joined).toEqual(['Anna Petrova'])
  })
})

describe('the prejoin screen of the plain link', () => {
  const plain = {
    invitee: null,
    isPartnerRoom: false,
    features: {
      mainNavigation: true,
      chat: true,
      transcription: false,
      recordingControls: true,
      screenSharing: true,
      files: true,
      reactions: true,
    },
  }

  it('offers to sign in, reports a wrong password, and still admits guests', async () => {
    const api = new FakeApi({ 'POST /api/v1.0/auth/login': () => refused(401, 'invalid_credentials') })
    const { joined } = await show({ invitation: plain, api })
    await expect.element(page.getByText('Have an account?')).toBeVisible()
    await checkAppearance('plain')
    await button('Sign in').click()
    await page.getByRole('textbox', { name: 'Username' }).fill('anna')
    await page.getByLabelText('Password').fill('wrong password')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Incorrect username or password.')).toBeVisible()
    await checkKeyboard()
    await checkAppearance('sign-in')
    await button('Continue as guest').click()
    await name.fill('Sam')
    await userEvent.keyboard('{Enter}')
    expect(joined).toEqual(['Sam'])
  })
})
