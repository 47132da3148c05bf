import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const BEAT_MS = 5_000
const STALE_AFTER_MS = 30_000 // several beats: the machine may be busy compiling
const RETRY_MS = 500

/**
 * Does the work while no other process does work under the same lock file. The file holds the owner's
 * process id; the owner touches it all the time, so one left behind by a crash is recognised and taken over.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  await acquire(file)
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  const beating = setInterval(() => utimesSync(file, new Date(), new Date()), BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beating)
    process.off('exit', release)
    release()
  }
}

/** @param {string} file */
async function acquire(file) {
  mkdirSync(dirname(file), { recursive: true })
  for (let told = false; ; ) {
    if (create(file) || (isStale(file) && (await takeOver(file)))) return
    if (!told) console.log(`Waiting for another setup to finish (process ${ownerOf(file)})…`)
    told = true
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
    return false // released just now; the next try creates it
  }
}

/**
 * Two waiting processes may find the same stale lock: the last to write its name has it.
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
    return err.code === 'EPERM' // alive, and somebody else's
  }
}
