import { median } from '../support/statistics.ts'
import { signed } from './chart.ts'
import type { Minute } from './minutes.ts'
import type { Progress } from './progress.ts'
import { slopesOf, warmUpOf } from './slopes.ts'

const EXAMPLES = 20

/** The result of a run in Markdown. */
export function summarize(minutes: readonly Minute[], progress: Progress, seed: number): string {
  const last = minutes.at(-1)
  if (!last) return 'The run was shorter than a minute.\n'
  const worst = (key: 'chat' | 'http') => Math.max(...minutes.map(each => each[key]?.p99 ?? 0))
  const middle = (key: 'chat' | 'http', part: 'p50' | 'p99') =>
    median(minutes.flatMap(each => each[key]?.[part] ?? []))
  const rows = slopesOf(minutes).map(
    ({ name, perHour, error, first, last: end, max, minutes: count }) =>
      `| ${name} | ${first.toFixed(0)} | ${end.toFixed(0)} | ${max.toFixed(0)} | ${signed(perHour)} ± ${error.toFixed(1)} | ${count} |`,
  )
  const uses = Object.entries(last.processes).map(
    ([name, { descriptors, threads }]) => `${name} ${descriptors}/${threads}`,
  )
  const latency = (key: 'chat' | 'http') =>
    `median of minutes ${middle(key, 'p50')} / ${middle(key, 'p99')} ms, worst minute's p99 ${worst(key)} ms`
  return [
    `${last.minute} minutes, seed ${seed}; the first ${warmUpOf(minutes).toFixed(0)} are warm-up.`,
    '',
    '| process | MB after warm-up | at the end | most | MB per hour ± standard error | minutes |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    `- descriptors/threads at the end: ${uses.join(', ')}`,
    `- stores, MB: ${JSON.stringify(last.stores)}`,
    `- chat p50 / p99: ${latency('chat')}`,
    `- HTTP p50 / p99: ${latency('http')}`,
    `- CPU: ${median(minutes.map(({ cpu }) => cpu)).toFixed(2)} s per second`,
    `- counts: ${JSON.stringify(progress.counts)}`,
    `- errors: ${progress.errors}`,
    ...progress.examples.slice(0, EXAMPLES).map(text => `  - ${text}`),
    `- violated invariants: ${progress.mistakes.length}`,
    ...progress.mistakes.map(text => `  - ${text}`),
    '',
  ].join('\n')
}
