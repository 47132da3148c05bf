import { root } from '../paths.mjs'
import { run } from '../run.mjs'
import { groups as all } from './groups.mjs'

const DAY_MS = 86_400_000

/**
 * The groups that are due: those whose code has changed, most changed files first, and one of the others in turn, by the
 * day.
 *
 * @param {string[]} changed paths of files
 * @param {Date} date
 * @param {typeof all} [groups] for tests
 * @returns {string[]}
 */
export function dueGroups(changed, date, groups = all) {
  const touched = Object.entries(groups).map(([name, { code, files }]) => ({
    name,
    changes: changed.filter(path => [...code, ...files].some(place => isWithin(path, place))).length,
  }))
  const due = touched.filter(({ changes }) => changes > 0).sort((one, other) => other.changes - one.changes)
  const others = touched.filter(({ changes }) => changes === 0)
  const inTurn = others[Math.floor(date.getTime() / DAY_MS) % Math.max(1, others.length)]
  return [...due, ...(inTurn ? [inTurn] : [])].map(({ name }) => name)
}

/** @param {string} path @param {string} place a folder, a file, or the end of a file's name */
const isWithin = (path, place) => path === place || path.startsWith(`${place}/`) || path.endsWith(place)

/** The paths that the commits of the last day have changed. */
export async function changedFiles() {
  const log = await run('git', ['log', '--since=1.day', '--name-only', '--pretty=format:'], { cwd: root })
  return [...new Set(log.split('\n').filter(Boolean))]
}
