import { setTimeout as sleep } from 'node:timers/promises'
import { randomChoices, seededRandom } from '@lectern/common/testing'
import { ChaosLesson, type Stage } from './lesson.ts'

export interface ChaosOptions {
  seed: number
  kills: number
  killsPerLesson: number
}

export interface ChaosReport {
  /** What was lost, duplicated or went backwards; empty if all is well. */
  mistakes: string[]
  kills: { kind: string; videoMs: number; chatMs: number; recordingMs: number }[]
  messages: number
  observations: number
}

const POLL_STORE_MS = 200
/** Of kills, how many hit a deployment that has not recovered from the one before. */
const DOUBLE_KILLS = 0.2
const LATEST_DOUBLE_KILL_MS = 2_000
const LATEST_KILL_MS = 3_000
/** Nothing recovers after this time; how long recovery takes, which depends on the machine, is printed. */
const RECOVERED_WITHIN_MS = 300_000

/** Kills random processes at random times under recorded lessons, then checks that nothing was lost or duplicated. */
export async function runChaos(
  stage: Stage,
  { seed, kills, killsPerLesson }: ChaosOptions,
): Promise<ChaosReport> {
  const { chance, pick } = randomChoices(seededRandom(seed))
  const random = seededRandom(seed + 1)
  const { deployment, invariants } = stage
  const report: ChaosReport = { mistakes: [], kills: [], messages: 0, observations: 0 }
  const polling = new AbortController()
  void pollStore(stage, polling.signal)

  const records: Promise<string[]>[] = []
  while (report.kills.length < kills) {
    const lesson = await ChaosLesson.begin(stage, `lesson-${records.length}`)
    const last = Math.min(kills, report.kills.length + killsPerLesson)
    const failures = { failedMs: 0, lostTranscribers: 0 }
    while (report.kills.length < last) {
      await sleep(random() * LATEST_KILL_MS)
      const from = Date.now()
      const killed: string[] = []
      do {
        const victims = deployment.victims()
        const kind = pick([...new Set(victims.map(victim => victim.kind))])
        killed.push(kind)
        await pick(victims.filter(victim => victim.kind === kind)).kill()
        await sleep(random() * LATEST_DOUBLE_KILL_MS)
      } while (report.kills.length + killed.length < last && chance(DOUBLE_KILLS))
      await lesson.waitForFlow(RECOVERED_WITHIN_MS).catch(async error => {
        const state = await lesson.describeState()
        throw new Error(`After the loss of ${killed.join(' + ')}: ${error.message}\n${state}`)
      })
      failures.failedMs += Date.now() - from
      failures.lostTranscribers += killed.filter(kind => kind === 'transcriber' || kind === 'server').length
      const outage = lesson.outageSince(from)
      for (const kind of killed)
        report.kills.push({ kind: killed.length > 1 ? `${kind} (of several)` : kind, ...outage })
      console.log(`${report.kills.length}. ${killed.join(' + ')}: ${JSON.stringify(outage)}`)
    }
    report.messages += lesson.messages
    report.mistakes.push(...(await lesson.end()))
    const checked = lesson.checkRecords(failures)
    checked.catch(() => {}) // awaited at the end: further kills hit composing, uploading and delivering
    records.push(checked)
  }
  for (const checked of records) report.mistakes.push(...(await checked))
  polling.abort()
  report.observations = invariants.observations
  report.mistakes.push(...invariants.violations)
  return report
}

/** The store may be unavailable at times. */
async function pollStore({ deployment, invariants }: Stage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const rows = await deployment.sessions().catch(() => [])
    for (const row of rows) invariants.session(row)
    await sleep(POLL_STORE_MS)
  }
}

/** The distribution of recovery times by the kind of the killed process, in milliseconds. */
export function describeRecovery({ kills }: ChaosReport): string {
  const kinds = [...new Set(kills.map(({ kind }) => kind))].sort()
  const rows = kinds.map(kind => {
    const own = kills.filter(kill => kill.kind === kind)
    const columns = (['chatMs', 'videoMs', 'recordingMs'] as const).map(what => {
      const values = own.map(kill => kill[what]).sort((a, b) => a - b)
      const at = (part: number) => values[Math.min(values.length - 1, Math.floor(values.length * part))]
      return `${at(0.5)} / ${at(0.9)} / ${values.at(-1)}`
    })
    return `| ${kind} | ${own.length} | ${columns.join(' | ')} |`
  })
  return [
    '| killed | times | chat: p50 / p90 / max ms | video | recording |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
