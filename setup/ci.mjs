/** What the build machine runs: the gate, then the groups of the endurance suite that are due, within a budget. */
import { concludeWith, prepareForTests, sum } from './conclusion.mjs'
import { changedFiles, dueGroups } from './endurance/choice.mjs'
import { runGroups } from './endurance/run-groups.mjs'
import { runGate } from './gate.mjs'

const BUDGET_MS = 30 * 60_000
/** The build machine ends what takes 90 minutes, and nobody would learn why. */
const DEADLINE_MS = 80 * 60_000
/** Of the gate on two idle cores, as the minutes of the groups are. */
const GATE_MS = 10 * 60_000

concludeWith((await prepareForTests()) ?? (await runAll()))

async function runAll() {
  const begin = performance.now()
  const gate = await runGate([], { deadline: DEADLINE_MS })
  if (gate.failed > 0) return gate // the failures are what counts
  const slowness = Math.max(1, (performance.now() - begin) / GATE_MS)
  const due = dueGroups(await changedFiles(), new Date())
  const budgetMs = Math.min(BUDGET_MS, DEADLINE_MS - performance.now())
  return sum([gate, await runGroups(due, { budgetMs, slowness })])
}
