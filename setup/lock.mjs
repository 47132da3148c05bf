import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const HEARTBEAT_MS = 5_000
const STALE_AFTER_MS = 30_000 // several heartbeats: the machine may be busy compiling
const RETRY_MS = 500

/**
 * Runs the work while holding a lock file. The file contains the process id of its owner, who touches it regularly, so
 * that a stale lock of a crashed process is detected and taken over.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  await acquire(file)
  // Another process has taken it over if this one was suspended for long: then it is no longer ours.
  const release = () => isOurs(file) && rmSync(file, { force: true })
  process.once('exit', release)
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    process.off('exit', release)
    release()
  }
}

/** @param {string} file */
function touch(file) {
  try {
    if (isOurs(file)) utimesSync(file, new Date(), new Date())
  } catch {} // removed just now, or the disk refuses it: the work goes on
}

/** @param {string} file */
const isOurs = file => ownerOf(file) === process.pid

/** @param {string} file */
async function acquire(file) {
  mkdirSync(dirname(file), { recursive: true })
  for (let isAnnounced = false; ; ) {
    if (create(file) || (isStale(file) && (await takeOver(file)))) return
    if (!isAnnounced) console.log(`Waiting for another setup to finish (process ${ownerOf(file)})…`)
    isAnnounced = true
    await sleep(RETRY_MS)
  }
}

/** @param {string} file */
function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (err) {
    if (err.code === 'EEXIST') return false
    throw err
  }
}

/** @param {string} file */
function isStale(file) {
  try {
    return Date.now() - statSync(file).mtimeMs > STALE_AFTER_MS || !isAlive(ownerOf(file))
  } catch {
    return false // released just now; the next attempt creates it
  }
}

/**
 * Two waiting processes may find the same stale lock: the last writer owns it.
 *
 * @param {string} file
 */
async function takeOver(file) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  renameSync(mine, file)
  await sleep(RETRY_MS)
  return ownerOf(file) === process.pid
}

/** @param {string} file */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (err) {
    return err.code === 'EPERM' // alive, but owned by another user
  }
}
