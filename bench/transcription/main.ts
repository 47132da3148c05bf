/**
 * `npm run transcription -w bench`: the delay from microphone samples to phrases in real time, with 1, 4 and 8
 * simultaneous speakers, next to the figures of the engine alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  openEngine,
  RecognitionScheduler,
  recognitionLimits,
  VoiceActivityGate,
} from '@lectern/transcriber/recognition'
import { memoryOf } from '../support/processes.ts'
import { size, sizes } from '../support/size.ts'
import { quantile } from '../support/statistics.ts'
import { BLOCK, type Clip, makeClips } from './clips.ts'
import { wordErrors } from './errors.ts'

const PAUSE_MS = 2_500
/** Speakers wait for the recognition of a sentence, but no longer than this. */
const PHRASE_TIMEOUT_MS = 10_000
const BLOCK_MS = 20
const ROUNDS = size('ROUNDS', 4, 1)
const PEOPLE = sizes('PEOPLE', '1,4,8', '1')
const ALONE =
  'Engine alone, one core, other clips: word errors 19.3 %, real-time factor 0.083, memory 196 MB.'

interface Figures {
  delays: number[]
  words: number
  errors: number
  audioSeconds: number
}

/** Plays the clips of a speaker in real time, with a pause after each sentence. */
async function speak(recognition: RecognitionScheduler, clips: Clip[], figures: Figures): Promise<void> {
  const words: string[] = []
  const arrivals: number[] = []
  const gate = new VoiceActivityGate()
  const voice = recognition.open({
    partial: () => {},
    final: text => {
      gate.phraseEnded()
      words.push(text)
      arrivals.push(performance.now())
    },
    failed: error => console.error(error),
  })
  for (const clip of clips) {
    const began = performance.now()
    const lengthMs = clip.speechMs + PAUSE_MS
    const isOver = (ms: number) => ms >= (arrivals.length > 0 ? lengthMs : lengthMs + PHRASE_TIMEOUT_MS)
    for (let ms = 0; !isOver(ms); ms += BLOCK_MS) {
      const at = (ms / BLOCK_MS) * BLOCK
      const block = new Int16Array(BLOCK)
      if (ms < clip.speechMs) block.set(clip.samples.subarray(at, at + BLOCK))
      for (const passed of gate.filter(block)) recognition.push(voice, passed)
      await sleep(Math.max(0, began + ms + BLOCK_MS - performance.now()))
    }
    const last = arrivals.splice(0).at(-1)
    if (last) figures.delays.push(last - began - clip.speechMs)
    figures.audioSeconds += lengthMs / 1000
  }
  await recognition.end(voice)
  // Compares the complete text: late words are not errors.
  const said = clips.map(({ text }) => text).join(' ')
  figures.words += said.split(' ').length
  figures.errors += wordErrors(said, words.join(' '))
}

const clips = makeClips(Math.max(...PEOPLE) + ROUNDS - 1)
const engine = await openEngine(process.env.MODEL_DIR ?? null)
console.log(`${engine.name}, ${engine.language}. ${ALONE}\n`)
console.log('| people | end of speech → phrase p50 | p99 | word errors | real-time factor | memory |')
console.log('|---|---|---|---|---|---|')
for (const people of PEOPLE) {
  const recognition = new RecognitionScheduler(engine, recognitionLimits())
  const figures: Figures = { delays: [], words: 0, errors: 0, audioSeconds: 0 }
  const before = process.cpuUsage()
  const turns = Array.from({ length: people }, (_, i) =>
    Array.from({ length: ROUNDS }, (_, round) => clips[(i + round) % clips.length] as Clip),
  )
  await Promise.all(turns.map(turn => speak(recognition, turn, figures)))
  const { user, system } = process.cpuUsage(before)
  const factor = (user + system) / 1e6 / figures.audioSeconds
  const delay = (part: number) => `${quantile(figures.delays, part).toFixed(0)} ms`
  const errors = ((100 * figures.errors) / figures.words).toFixed(1)
  const cells = [people, delay(0.5), delay(0.99), `${errors} %`, factor.toFixed(3)]
  console.log(`| ${cells.join(' | ')} | ${memoryOf(process.pid).toFixed(0)} MB |`)
}
await engine.close()
