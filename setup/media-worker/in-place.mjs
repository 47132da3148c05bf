import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyWhole } from '../machine-cache.mjs'
import { runs } from './runs.mjs'

/** The origin of a worker that the operator has chosen. */
export const NAMED = 'named by MEDIASOUP_WORKER_BIN'

/** Beside the worker. @param {string} worker */
const stampOf = worker => `${worker}.origin`

/**
 * Where the worker in place comes from: NAMED or the recipe of its build. Null where none is in place, where it does not
 * run, and where nothing says where it comes from.
 *
 * @param {string} worker
 */
export function originOf(worker) {
  const stamp = stampOf(worker)
  return existsSync(stamp) && runs(worker) ? readFileSync(stamp, 'utf8') : null
}

/**
 * Copies a worker to its place. After an interruption nothing says where the one in place comes from.
 *
 * @param {string} from
 * @param {string} worker
 * @param {string} origin
 */
export function putInPlace(from, worker, origin) {
  const stamp = stampOf(worker)
  rmSync(stamp, { force: true })
  copyWhole(from, worker)
  writeFileSync(stamp, origin)
}
