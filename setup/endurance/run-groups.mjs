import { randomInt } from 'node:crypto'
import { sum } from '../conclusion.mjs'
import { inSeconds, stopwatch } from '../progress.mjs'
import { explain } from '../run.mjs'
import { runVitest } from '../vitest.mjs'
import { groups } from './groups.mjs'

/**
 * Runs groups of the endurance suite one after the other. A group that does not fit into the rest of the budget, or has not
 * ended with it, is named and counts for nothing.
 *
 * @param {string[]} names
 * @param {{ budgetMs?: number, slowness?: number }} [options] slowness: how many times as long everything takes on this machine
 */
export async function runGroups(names, { budgetMs = Number.POSITIVE_INFINITY, slowness = 1 } = {}) {
  const deadline = performance.now() + budgetMs
  const results = []
  /** @type {string[]} */
  const lines = []
  for (const name of names) {
    const { proves, project = 'endurance', files, minutes, alone, prepare } = groups[name]
    if (performance.now() + minutes * slowness * 60_000 > deadline) {
      lines.push(`not reached: ${name}`)
      continue
    }
    console.log(`\nEndurance, ${name}: ${proves}`)
    const seconds = stopwatch()
    if (!(await isPrepared(prepare))) {
      lines.push(`not prepared: ${name}`)
      results.push({ passed: 0, failed: 1, flakes: [] })
      continue
    }
    const env = alone ? { LECTERN_TEST_WORKERS: '1' } : {}
    const result = await runVitest([`--project=${project}`, ...files], {
      name,
      env,
      deadline,
      seed: randomInt(2 ** 31),
    })
    const counts = `${result.passed} passed, ${result.failed} failed`
    lines.push(`${result.isComplete ? counts : 'not finished'} in ${inSeconds(seconds())}: ${name}`)
    if (result.isComplete) results.push(result)
  }
  console.log(`\nEndurance:\n${lines.map(line => `  ${line}`).join('\n')}`)
  return sum(results)
}

/** Whether a group has what it needs. It says why not. @param {(() => Promise<void>) | undefined} prepare */
async function isPrepared(prepare) {
  try {
    await prepare?.()
    return true
  } catch (err) {
    explain(err)
    return false
  }
}
