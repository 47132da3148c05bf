import { expect } from 'vitest'
import type { Visitor } from './visitor.ts'
import { waitFor } from './wait.ts'

/** A change of the page content. */
interface Change {
  atMs: number
  /** The text of the recovery banner; empty without a banner. */
  banner: string
  tiles: number
}

interface Recorded {
  changes: Change[]
  /** The times of rendered frames of the observed participant. */
  framesAtMs: number[]
}

interface Recorder extends Recorded {
  label: string
}

type Page = typeof globalThis & { recorder: Recorder }

/** Restored media MUST stay for this long. */
const STEADY_MS = 10_000

/**
 * Records every change of the banner and of the number of tiles, and every frame of the participant with the label.
 * Runs in the page, so that it misses no change.
 */
export async function recordRecovery({ page }: Visitor, label: string): Promise<void> {
  await page.evaluate(record, label)
}

/** Clears the record. */
export const resetRecord = ({ page }: Visitor): Promise<void> =>
  page.evaluate(() => {
    const { recorder } = globalThis as Page
    recorder.changes.splice(0, recorder.changes.length - 1)
    recorder.framesAtMs.length = 0
  })

const readRecord = ({ page }: Visitor): Promise<Recorded> =>
  page.evaluate(() => (globalThis as Page).recorder)

/** The recovery times after the server or the network is back, in milliseconds. */
export interface Recovery {
  /** The control channel and the participation in the session. */
  session: number
  /** The first frame of the other participant. */
  media: number
  /** Everything: the banner disappeared. */
  all: number
}

/**
 * Waits for the end of an outage and for stable media after it. Expects exactly one uninterrupted banner, which disappears
 * when media has returned for good, and no duplicate tile.
 */
export async function expectRecovery(visitor: Visitor, backAtMs: number): Promise<Recovery> {
  const isOver = ({ changes }: Recorded) => changes.some(({ banner }) => banner) && !changes.at(-1)?.banner
  await waitFor(async () => isOver(await readRecord(visitor)), 'the banner disappears')
  await visitor.page.waitForTimeout(STEADY_MS)
  const { changes, framesAtMs } = await readRecord(visitor)
  const banners = changes.map(({ banner }) => (banner ? 'shown' : 'hidden'))
  const transitions = banners.filter((each, index) => each !== banners[index - 1])
  expect({ transitions, changes }).toEqual({ transitions: ['hidden', 'shown', 'hidden'], changes })
  expect(Math.max(...changes.map(({ tiles }) => tiles))).toBe(2)

  const bannerGoneAtMs = changes.findLast(({ banner }, index) => !banner && changes[index - 1]?.banner)?.atMs
  const mediaAtMs = framesAtMs.find(atMs => atMs >= backAtMs)
  if (bannerGoneAtMs === undefined || mediaAtMs === undefined) throw new Error('No media arrived.')
  const half = bannerGoneAtMs + STEADY_MS / 2
  expect(framesAtMs.some(atMs => atMs > bannerGoneAtMs && atMs < half)).toBe(true)
  expect(framesAtMs.some(atMs => atMs > half)).toBe(true)
  const sessionAtMs = changes.find(({ atMs, banner }) => atMs >= backAtMs && !isReconnecting(banner))?.atMs
  return {
    session: (sessionAtMs ?? bannerGoneAtMs) - backAtMs,
    media: mediaAtMs - backAtMs,
    all: bannerGoneAtMs - backAtMs,
  }
}

const isReconnecting = (banner: string) => /Connection lost|offline/.test(banner)

export const describeRecoveries = (anna: Recovery, mia: Recovery) =>
  `ms until back for Anna and Mia: session ${anna.session}, ${mia.session}; media ${anna.media}, ${mia.media}; all ${anna.all}, ${mia.all}`

/** Runs in the page. */
function record(label: string): void {
  const changes: Change[] = []
  const framesAtMs: number[] = []
  const isRunning = 'recorder' in globalThis
  ;(globalThis as Page).recorder = { label, changes, framesAtMs }
  const note = () => {
    const { recorder } = globalThis as Page
    const texts = [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent ?? '')
    const banner = texts.find(text => /Connection lost|offline|interrupted/.test(text)) ?? ''
    const tiles = document.querySelectorAll('[data-tile]').length
    const last = recorder.changes.at(-1)
    if (last?.banner !== banner || last.tiles !== tiles)
      recorder.changes.push({ atMs: Date.now(), banner, tiles })
  }
  note()
  if (isRunning) return
  new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true })
  let video: Element | null = null
  let frames = 0
  setInterval(() => {
    const { recorder } = globalThis as Page
    const now = document.querySelector<HTMLVideoElement>(`video[aria-label="${recorder.label}"]`)
    const rendered = now?.getVideoPlaybackQuality().totalVideoFrames ?? 0
    if (rendered > 0 && (now !== video || rendered !== frames)) recorder.framesAtMs.push(Date.now())
    video = now
    frames = rendered
  })
}
