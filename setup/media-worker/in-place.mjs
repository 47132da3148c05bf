import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyAtomically } from '../machine-cache.mjs'
import { runs } from './runs.mjs'

/** The origin of a worker from MEDIASOUP_WORKER_BIN. */
export const NAMED = 'named by MEDIASOUP_WORKER_BIN'

/** The stamp file next to the worker. @param {string} worker */
const stampOf = worker => `${worker}.origin`

/**
 * The origin of the installed worker: NAMED or the recipe of its build. Null if it is missing, does not run or has no
 * recorded origin.
 *
 * @param {string} worker
 */
export function originOf(worker) {
  const stamp = stampOf(worker)
  return existsSync(stamp) && runs(worker) ? readFileSync(stamp, 'utf8') : null
}

/**
 * Installs a worker. An interruption leaves it without a recorded origin.
 *
 * @param {string} from
 * @param {string} worker
 * @param {string} origin
 */
export function installWorker(from, worker, origin) {
  const stamp = stampOf(worker)
  rmSync(stamp, { force: true })
  copyAtomically(from, worker)
  writeFileSync(stamp, origin)
}
