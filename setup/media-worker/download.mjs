import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, platform, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyWhole } from '../machine-cache.mjs'
import { step } from '../progress.mjs'
import { run } from '../run.mjs'
import { pinnedArchives } from './archives.mjs'

const RELEASES = 'https://github.com/versatica/mediasoup/releases/download'
const TIME_LIMIT_MS = 60_000
const LARGEST_BYTES = 64 * 1024 * 1024
const WORKER = 'mediasoup-worker'

/**
 * Downloads the worker that mediasoup has released for this system, if the SHA-256 of its archive is pinned. False where no
 * worker was put in place; the reason was printed.
 *
 * @param {string} mediasoup the folder of the package
 * @param {string} target the file to make
 * @param {{ releases?: string, pinned?: Record<string, string> }} [options] for tests
 */
export async function download(mediasoup, target, { releases = RELEASES, pinned = pinnedArchives } = {}) {
  const { version } = JSON.parse(readFileSync(join(mediasoup, 'package.json'), 'utf8'))
  const archive = archiveOf(version)
  const expected = pinned[archive]
  if (!expected) {
    console.log(`No SHA-256 is pinned for ${archive}: it is not downloaded`)
    return false
  }
  try {
    await step('Downloading the media worker', () =>
      downloadPinned(`${releases}/${version}/${archive}`, expected, target),
    )
    return true
  } catch (error) {
    console.log(`  ${archive} is not used: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/**
 * What mediasoup calls the archive for this system (npm-scripts.mjs of its package).
 *
 * @param {string} version
 */
export function archiveOf(version) {
  const kernel = platform() === 'linux' ? `-kernel${release().split('.')[0]}` : ''
  return `${WORKER}-${version}-${platform()}-${arch()}${kernel}.tgz`
}

/**
 * Nothing is unpacked before its hash is known to be right.
 *
 * @param {string} url
 * @param {string} expected
 * @param {string} target
 */
async function downloadPinned(url, expected, target) {
  const content = await get(url)
  const actual = createHash('sha256').update(content).digest('hex')
  if (actual !== expected) throw new Error(`its SHA-256 is ${actual}, and ${expected} is pinned`)
  const folder = mkdtempSync(join(tmpdir(), 'lectern-media-worker-'))
  try {
    writeFileSync(join(folder, 'archive.tgz'), content)
    await run('tar', ['-xzf', 'archive.tgz', WORKER], { cwd: folder })
    copyWhole(join(folder, WORKER), target)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} url */
async function get(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIME_LIMIT_MS) })
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`)
  const pieces = []
  let size = 0
  for await (const piece of response.body) {
    size += piece.length
    if (size > LARGEST_BYTES) throw new Error(`it is larger than ${LARGEST_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
