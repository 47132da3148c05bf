import type { Locator, Page } from 'playwright-core'
import type { Tab } from './browser.ts'
import { waitFor } from './wait.ts'

interface Ways {
  /** Typed before joining; without it, the name of the link. */
  name?: string
  /** Comes in without camera and microphone. */
  listens?: boolean
}

/** Somebody in the hosted room, in a real browser. */
export class Visitor {
  readonly page: Page
  readonly console: string[]
  /** When the button was pressed. */
  readonly joinedAt: number

  private constructor({ page, console }: Tab, joinedAt: number) {
    this.page = page
    this.console = console
    this.joinedAt = joinedAt
  }

  static async join(tab: Tab, { name, listens = false }: Ways = {}): Promise<Visitor> {
    const { page } = tab
    const join = page.getByRole('button', { name: 'Join' })
    await join.waitFor()
    if (name !== undefined) await page.getByRole('textbox', { name: 'Your name' }).fill(name)
    if (!listens) await page.getByText('Your microphone works').waitFor()
    const joinedAt = Date.now()
    await join.click()
    await page.getByRole('region', { name: 'Controls' }).waitFor()
    return new Visitor(tab, joinedAt)
  }

  button = (name: string | RegExp): Locator =>
    this.page.getByRole('region', { name: 'Controls' }).getByRole('button', { name })

  isPressed = async (name: string): Promise<boolean> =>
    (await this.button(name).getAttribute('aria-pressed')) === 'true'

  /** The tiles of people, or of screens, with this name on them. */
  tiles = (name: string, of: 'person' | 'screen' = 'person'): Locator =>
    this.page.locator(`[data-tile=${of}]`).filter({ hasText: name })

  video = (label: string): Locator =>
    this.page.locator('video').and(this.page.getByLabel(label, { exact: true }))

  isMuted = (name: string): Promise<boolean> =>
    this.tiles(name).getByRole('img', { name: 'Muted' }).isVisible()

  /** The part of the stage that the tile takes. */
  async share(tile: Locator): Promise<number> {
    const stage = await this.page.getByRole('region', { name: 'Participant videos' }).boundingBox()
    const box = await tile.boundingBox()
    return stage && box ? (box.width * box.height) / (stage.width * stage.height) : 0
  }

  /** Waits for a moving picture, and tells when its first frame was seen. */
  sees = async (label: string): Promise<number> => {
    const video = this.video(label)
    await waitFor(() => framesOf(video), `a picture of ${label}`)
    const first = Date.now()
    const before = await framesOf(video)
    await waitFor(async () => (await framesOf(video)) > before + 5, `the picture of ${label} moves`)
    await waitFor(() => video.evaluate(brightest).then(value => value > 60), `${label} is not black`)
    return first
  }

  /** Waits for a sound of the others: fake microphones beep once a second. */
  hears = async (): Promise<void> => {
    await waitFor(async () => (await this.#loudness()) > 0.01, 'a sound of the others')
  }

  /** Listens for longer than a beep is apart from the next. */
  hearsNothing = async (): Promise<boolean> => {
    return (await this.#loudness()) < 0.001
  }

  #loudness = (): Promise<number> => this.page.evaluate(loudest, 1_600)
}

const framesOf = async (video: Locator): Promise<number> =>
  (await video.count()) === 0
    ? 0
    : video.evaluate(
        // Firefox counts the frames of a stream only as it paints them.
        (element: HTMLVideoElement & { mozPaintedFrames?: number }) =>
          element.mozPaintedFrames ?? element.getVideoPlaybackQuality().totalVideoFrames,
      )

/** From 0 to 255, of all the colours in the picture. */
function brightest(video: Element): number {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 16
  const context = canvas.getContext('2d')
  context?.drawImage(video as HTMLVideoElement, 0, 0, 16, 16)
  return Math.max(...(context?.getImageData(0, 0, 16, 16).data ?? []).filter((_, index) => index % 4 < 3))
}

/** The loudest sample within that time of what is played. */
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
