import type { Locator, Page } from 'playwright-core'
import type { Tab } from './browser.ts'
import { waitFor } from './wait.ts'

export interface JoinOptions {
  /** The name to enter; absent: the name in the link. */
  name?: string
  /** Joins without camera and microphone. */
  withoutDevices?: boolean
}

/** A participant in a hosted room, in a real browser. */
export class Visitor {
  readonly page: Page
  readonly console: string[]
  /** When the join button was clicked. */
  readonly joinedAt: number

  private constructor({ page, console }: Tab, joinedAt: number) {
    this.page = page
    this.console = console
    this.joinedAt = joinedAt
  }

  static async join(tab: Tab, { name, withoutDevices = false }: JoinOptions = {}): Promise<Visitor> {
    const { page } = tab
    const join = page.getByRole('button', { name: 'Join' })
    await join.waitFor()
    if (name !== undefined) await enterName(page, name)
    if (!withoutDevices) await page.getByText('Your microphone works').waitFor()
    const joinedAt = Date.now()
    await join.click()
    return Visitor.inRoom(tab, joinedAt)
  }

  /** Somebody who has entered without the prejoin screen, or enters now. */
  static async inRoom(tab: Tab, joinedAt = Date.now()): Promise<Visitor> {
    await tab.page.getByRole('region', { name: 'Controls' }).waitFor()
    return new Visitor(tab, joinedAt)
  }

  button = (name: string | RegExp): Locator =>
    this.page.getByRole('region', { name: 'Controls' }).getByRole('button', { name })

  /** Presses an item of the popup *More*. */
  more = async (name: string): Promise<void> => {
    await this.button('More').click()
    await this.button(name).click()
  }

  /** Only people who may end the session have it. */
  get exitOptions(): Locator {
    return this.button('Exit options')
  }

  isPressed = async (name: string): Promise<boolean> =>
    (await this.button(name).getAttribute('aria-pressed')) === 'true'

  /** The tiles of participants or screens with the given name. */
  tiles = (name: string, kind: 'person' | 'screen' = 'person'): Locator =>
    this.page.locator(`[data-tile=${kind}]`).filter({ hasText: name })

  video = (label: string): Locator =>
    this.page.locator('video').and(this.page.getByLabel(label, { exact: true }))

  isMuted = (name: string): Promise<boolean> =>
    this.tiles(name).getByRole('img', { name: 'Muted' }).isVisible()

  /** The share of the stage that the tile covers. */
  async stageShare(tile: Locator): Promise<number> {
    const stage = await this.page.getByRole('region', { name: 'Participant videos' }).boundingBox()
    const box = await tile.boundingBox()
    return stage && box ? (box.width * box.height) / (stage.width * stage.height) : 0
  }

  /** Waits for moving, non-black video; resolves with the time of the first frame. */
  waitForVideo = async (label: string): Promise<number> => {
    const video = this.video(label)
    await waitFor(() => framesOf(video), `video of ${label}`)
    const first = Date.now()
    const before = await framesOf(video)
    await waitFor(async () => (await framesOf(video)) > before + 5, `the video of ${label} moves`)
    await waitFor(() => video.evaluate(brightest).then(value => value > 60), `${label} is not black`)
    return first
  }

  /** Waits for sound of other participants: fake microphones beep once per second. */
  waitForSound = async (): Promise<void> => {
    await waitFor(async () => (await this.loudness()) > 0.01, 'sound of other participants')
  }

  /** Whether there is no sound for longer than the interval of two beeps. */
  isSilent = async (): Promise<boolean> => {
    return (await this.loudness()) < 0.001
  }

  /** The loudest sample of the others within a moment, 0 to 1. */
  loudness = (): Promise<number> => this.page.evaluate(loudest, 1_600)
}

/** The field appears at once where no name is known. */
async function enterName(page: Page, name: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Your name' })
  if (!(await field.isVisible())) await page.getByRole('button', { name: 'Change', exact: true }).click()
  await field.fill(name)
}

/** Ends the session for everybody, as moderators can. */
export async function endForEveryone(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Exit options' }).click()
  await page.getByRole('button', { name: 'End for everyone…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End for everyone' }).click()
}

/** The settings of the prejoin screen: devices, test sound and connection check. */
export const openSettings = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Settings', exact: true }).click()

/** Waits until the own camera is seen on the prejoin screen. */
export const previewMoves = (page: Page): Promise<unknown> =>
  waitFor(
    () =>
      page.evaluate(
        () => (document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0) > 5,
      ),
    'the preview plays',
  )

const framesOf = async (video: Locator): Promise<number> =>
  (await video.count()) === 0
    ? 0
    : video.evaluate(
        // Firefox counts the frames of a stream only when it paints them.
        (element: HTMLVideoElement & { mozPaintedFrames?: number }) =>
          element.mozPaintedFrames ?? element.getVideoPlaybackQuality().totalVideoFrames,
      )

/** The brightest colour component of the frame, 0 to 255. */
function brightest(video: Element): number {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 16
  const context = canvas.getContext('2d')
  context?.drawImage(video as HTMLVideoElement, 0, 0, 16, 16)
  return Math.max(...(context?.getImageData(0, 0, 16, 16).data ?? []).filter((_, index) => index % 4 < 3))
}

/** The loudest sample of all playing audio within the given time. */
async function loudest(ms: number): Promise<number> {
  const context = new AudioContext()
  const analysers = [...document.querySelectorAll('audio')].flatMap(({ srcObject, paused, muted }) => {
    if (!(srcObject instanceof MediaStream) || paused || muted) return []
    const analyser = new AnalyserNode(context)
    context.createMediaStreamSource(srcObject).connect(analyser)
    return [analyser]
  })
  const samples = new Float32Array(2048)
  let level = 0
  for (const end = Date.now() + ms; Date.now() < end; ) {
    await new Promise(resolve => setTimeout(resolve, 30))
    for (const analyser of analysers) {
      analyser.getFloatTimeDomainData(samples)
      level = Math.max(level, ...samples.map(Math.abs))
    }
  }
  await context.close()
  return level
}
