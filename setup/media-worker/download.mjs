import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, platform, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyAtomically } from '../machine-cache.mjs'
import { step } from '../progress.mjs'
import { run } from '../run.mjs'
import { pinnedArchives } from './archives.mjs'

const RELEASES = 'https://github.com/versatica/mediasoup/releases/download'
const TIME_LIMIT_MS = 60_000
const ARCHIVE_MAX_BYTES = 64 * 1024 * 1024
const WORKER = 'mediasoup-worker'

/**
 * Downloads mediasoup's released worker for this system, if the SHA-256 of its archive is pinned. Returns false,
 * and prints the reason, when no worker was installed.
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
    console.log(`Not downloading ${archive}: no SHA-256 is pinned`)
    return false
  }
  try {
    await step('Downloading the media worker', () =>
      downloadPinned(`${releases}/${version}/${archive}`, expected, target),
    )
    return true
  } catch (error) {
    console.log(`  Not using ${archive}: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/**
 * The name of mediasoup's archive for this system (npm-scripts.mjs of its package).
 *
 * @param {string} version
 */
export function archiveOf(version) {
  const kernel = platform() === 'linux' ? `-kernel${release().split('.')[0]}` : ''
  return `${WORKER}-${version}-${platform()}-${arch()}${kernel}.tgz`
}

/**
 * Unpacks the archive only after its hash was verified.
 *
 * @param {string} url
 * @param {string} expected
 * @param {string} target
 */
async function downloadPinned(url, expected, target) {
  const content = await get(url)
  const actual = createHash('sha256').update(content).digest('hex')
  if (actual !== expected) throw new Error(`its SHA-256 is ${actual}, but ${expected} is pinned`)
  const folder = mkdtempSync(join(tmpdir(), 'lectern-media-worker-'))
  try {
    writeFileSync(join(folder, 'archive.tgz'), content)
    await run('tar', ['-xzf', 'archive.tgz', WORKER], { cwd: folder })
    copyAtomically(join(folder, WORKER), target)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} url */
async function get(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIME_LIMIT_MS) })
  if (!response.ok || !response.body) throw new Error(`the server responded with status ${response.status}`)
  const chunks = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > ARCHIVE_MAX_BYTES) throw new Error(`it is larger than ${ARCHIVE_MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
