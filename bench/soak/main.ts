import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomChoices, seededRandom } from '@lectern/common/testing'
import { encodeSpeech } from '../classroom/speech.ts'
import { encodeTestVideo } from '../classroom/test-video.ts'
import { args, isSmoke } from '../support/size.ts'
import { runAccounts, runBackend } from './background.ts'
import { drawChart } from './chart.ts'
import { startDeployment } from './deployment.ts'
import { type EndedLesson, SoakLesson, type Stage } from './lesson.ts'
import { longLesson, runBrowserLessons, runShortLessons } from './lessons.ts'
import { Minutes, SAMPLE_MS } from './minutes.ts'
import { readOptions, USAGE } from './options.ts'
import { Progress } from './progress.ts'
import { checkDuplicates, checkRecords } from './records.ts'
import { summarize } from './summary.ts'
import { WebhookReceiver } from './webhooks.ts'

// Hours of churn on the real programs: one long lesson, short ones, messages, calls, a partner's backend. Prints what every
// process uses once a minute, checks at the end that nothing was lost or duplicated, and draws a chart.

/** The lessons end this long before the run, so that their records are finished within it. */
const FINISHING_MS = 120_000
const FINISHING_PART = 0.25
/** The lessons of a smoke run, which ends when their records are there. */
const SMOKE_MS = 15_000
const PAUSE_SECONDS = 12
/** A run that hangs ends this long after its time, with its report. */
const GIVES_UP_AFTER_MS = 120_000
const CAMERA = { width: 320, height: 180 }

const options = (() => {
  try {
    return readOptions(args, Date.now())
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(2)
  }
})()
const { seed, load, output, browserMinutes } = options
mkdirSync(output, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'lectern-soak-'))
const progress = new Progress()
const receiver = await WebhookReceiver.open(progress)
const deployment = await startDeployment(folder)
const { partner } = deployment
await partner.setWebhook(receiver.webhook)

const lengthMs = options.endsAtMs - Date.now()
const endsAtMs = isSmoke
  ? Date.now() + SMOKE_MS
  : options.endsAtMs - Math.min(FINISHING_MS, lengthMs * FINISHING_PART)
console.log(
  `Seed ${seed}, load ${load}, until ${new Date(options.endsAtMs).toISOString()}; data in ${folder}`,
)
const minutes = new Minutes(
  deployment.pid,
  { data: deployment.data, file: join(output, 'minutes.jsonl') },
  progress,
)
const sampling = setInterval(() => minutes.sample(), SAMPLE_MS)

const [frames, speech] = [await encodeTestVideo(CAMERA), await encodeSpeech(PAUSE_SECONDS)]
const stageOf = (offset: number): Stage => ({
  ...{ url: deployment.url, partner, progress, frames, speech, transcribe: deployment.transcribe },
  choices: randomChoices(seededRandom(seed + offset)),
})
const ended: EndedLesson[] = []
const records: Promise<void>[] = []
const onEnded = (lesson: EndedLesson) => {
  ended.push(lesson)
  const checked = checkRecords(lesson, { receiver, partner, progress, untilMs: options.endsAtMs })
  records.push(checked.catch(error => progress.failed(`the records of ${lesson.plan.name}`, error)))
}
const stopped = new AbortController()
const report = () => {
  writeFileSync(join(output, 'soak.svg'), drawChart(minutes.all, `Soak, seed ${seed}, load ${load}`))
  writeFileSync(join(output, 'summary.md'), summarize(minutes.all, progress, seed))
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    report()
    process.exit(1)
  })

setTimeout(
  () => {
    progress.mistake('the run did not end in time')
    report()
    process.exit(1)
  },
  options.endsAtMs + GIVES_UP_AFTER_MS - Date.now(),
).unref()

const background = Promise.all([
  runBackend(stageOf(1), load, stopped.signal),
  runAccounts(stageOf(2), deployment.accounts, load, stopped.signal),
]).catch(error => progress.failed('the background', error))
await Promise.all([
  runLongLesson(stageOf(3)),
  runShortLessons({ stage: stageOf(4), endsAtMs, onEnded }),
  runBrowserLessons({ stage: stageOf(5), endsAtMs, onEnded }, browserMinutes),
])
await Promise.all(records)
stopped.abort()
await background
checkDuplicates(ended, receiver, progress)
clearInterval(sampling)
report()
console.log(summarize(minutes.all, progress, seed))
await deployment.stop()
receiver.close()
rmSync(folder, { recursive: true, force: true })
process.exit(progress.mistakes.length > 0 ? 1 : 0)

async function runLongLesson(stage: Stage): Promise<void> {
  try {
    const lesson = await SoakLesson.begin(stage, longLesson(endsAtMs, load))
    onEnded(await lesson.run())
  } catch (error) {
    progress.mistake(`the long lesson: ${error}`)
  }
}
