/** What the build machine runs: the gate, then the groups of the endurance suite that are due, within a budget. */
import { concludeWith, prepareForTests, sum } from './conclusion.mjs'
import { changedFiles, dueGroups } from './endurance/choice.mjs'
import { runGroups } from './endurance/run-groups.mjs'
import { runGate } from './gate.mjs'

const BUDGET_MS = 30 * 60_000
/** The build machine ends a run after 90 minutes. */
const ALL_MS = 80 * 60_000

concludeWith((await prepareForTests()) ?? (await runAll()))

async function runAll() {
  const gate = await runGate()
  if (gate.failed > 0) return gate // the failures are what counts
  const due = dueGroups(await changedFiles(), new Date())
  return sum([gate, await runGroups(due, { budgetMs: Math.min(BUDGET_MS, ALL_MS - performance.now()) })])
}
