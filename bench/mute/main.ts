import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PartnerClient } from '@lectern/partner'
import type { Page } from 'playwright-core'
import { openBrowser } from '../recording/people.ts'
import { startService } from '../support/lectern.ts'
import { size } from '../support/size.ts'
import { spread } from '../support/statistics.ts'

/**
 * The time from a press on *Microphone* to the silence at the other side, and from the next press to the sound, both pages on
 * this machine. The microphone is a tone that does not pause, and the other page looks at each 10 ms of what it receives.
 */
const ROUNDS = size('ROUNDS', 20, 2)
const AIM_MS = 300
/** Between two presses, so that the one before has taken effect in full. */
const PAUSE_MS = 1_500

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
const browser = await openBrowser()
try {
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const lesson = await partner.createRoom('mute', {
    teacher: { display_name: 'Anna' },
    student: { display_name: 'Ben' },
  })
  const speaker = await enter(lesson.teacher_join_url, speakWithTone)
  const listener = await enter(lesson.student_join_url, noteLoudness)
  await listener.waitForFunction(() => loudness.at > 0, undefined, { polling: 100 })

  const toSilence: number[] = []
  const toSound: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const mutedAt = await press(speaker)
    toSilence.push((await listener.evaluate(() => loudness.at)) - mutedAt)
    const unmutedAt = await press(speaker)
    toSound.push((await listener.evaluate(() => loudness.since)) - unmutedAt)
  }
  console.log(`from Mute to silence: ${spread(toSilence)} ms, ${ROUNDS} presses, aim ${AIM_MS}`)
  console.log(`from Unmute to sound: ${spread(toSound)} ms`)
} finally {
  await browser.close()
  await service.program.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function enter(link: string, script: () => void): Promise<Page> {
  const context = await browser.browser.newContext({ viewport: { width: 640, height: 480 } })
  const page = await context.newPage()
  await page.addInitScript(script)
  await page.goto(link)
  await page.getByText('Your microphone works').waitFor()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('region', { name: 'Controls' }).waitFor()
  return page
}

/** Presses the button and waits. Returns when it was pressed, in milliseconds of the clock that both pages share. */
async function press(page: Page): Promise<number> {
  const pressedAt = await page.getByRole('button', { name: 'Microphone', exact: true }).evaluate(button => {
    const now = performance.timeOrigin + performance.now()
    ;(button as HTMLButtonElement).click()
    return now
  })
  await page.waitForTimeout(PAUSE_MS)
  return pressedAt
}

/** Runs in the page: the microphone is a tone. */
function speakWithTone(): void {
  const context = new AudioContext()
  navigator.mediaDevices.getUserMedia = () => {
    const output = new MediaStreamAudioDestinationNode(context)
    const tone = new OscillatorNode(context, { frequency: 440 })
    tone.connect(output)
    tone.start()
    return Promise.resolve(output.stream)
  }
}

/** Runs in the page: notes when the received sound was loud last, and since when. */
function noteLoudness(): void {
  Object.assign(window, { loudness: { at: 0, since: 0 } })
  const Connection = window.RTCPeerConnection
  window.RTCPeerConnection = class extends Connection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      this.addEventListener('track', ({ track }) => {
        if (track.kind === 'audio') void follow(track)
      })
    }
  }

  async function follow(track: MediaStreamTrack) {
    const { readable } = new MediaStreamTrackProcessor({ track })
    let wasLoud = false
    for await (const data of readable) {
      const samples = new Float32Array(data.numberOfFrames)
      data.copyTo(samples, { planeIndex: 0, format: 'f32-planar' })
      data.close()
      const isLoud = samples.some(sample => Math.abs(sample) > 0.01)
      const now = performance.timeOrigin + performance.now()
      if (isLoud) {
        if (!wasLoud) loudness.since = now
        loudness.at = now
      }
      wasLoud = isLoud
    }
  }
}

declare global {
  /** When the received sound was loud last, and since when, on the clock of the machine. */
  var loudness: { at: number; since: number }
  class MediaStreamTrackProcessor {
    readonly readable: ReadableStream<AudioData> & AsyncIterable<AudioData>
    constructor(init: { track: MediaStreamTrack })
  }
}
