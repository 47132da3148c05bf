import { existsSync, readFileSync } from 'node:fs'
import { SetupError } from './run.mjs'

/**
 * The release in /etc/os-release: "12" of Debian, with its name for systems made from it, such as "ubuntu24.04"; null for others.
 *
 * @param {string} text
 * @returns {string | null}
 */
export function releaseIn(text) {
  const value = (/** @type {string} */ name) =>
    text.match(new RegExp(`^${name}=["']?([^"'\n]*)["']?$`, 'm'))?.[1] ?? ''
  const id = value('ID')
  const version = value('VERSION_ID')
  if (id === 'debian') return version.match(/^\d+/)?.[0] ?? 'unstable'
  return value('ID_LIKE').split(' ').includes('debian') ? `${id}${version}` : null
}

const FILE = '/etc/os-release'

/** The release of this Debian, or of a system made from it, or null on another system. */
export const debianRelease = existsSync(FILE) ? releaseIn(readFileSync(FILE, 'utf8')) : null

/** Processors for which npm has everything that is loaded. */
const PROCESSORS = ['x64', 'arm64']

/**
 * Says in the first second what would fail after minutes. A checkout is tested on Debian 12 on amd64; others are not refused.
 *
 * @param {{ platform?: string, arch?: string, release?: string | null, workerBin?: string | undefined }} [system]
 */
export function assertSystem({
  platform = process.platform,
  arch = process.arch,
  release = debianRelease,
  workerBin = process.env.MEDIASOUP_WORKER_BIN,
} = {}) {
  if (!PROCESSORS.includes(arch))
    throw new SetupError(
      `Lectern runs on ${PROCESSORS.join(' and ')} processors; this one is ${arch}. Use another machine, or a 64-bit system on this one.`,
    )
  if (platform === 'win32')
    throw new SetupError(
      'Lectern runs on Linux. In Windows, install Debian in WSL (wsl --install Debian), and start again there.',
    )
  if (release === null && !workerBin)
    throw new SetupError(`The media worker is built on Debian and systems made from it, such as Ubuntu; this is ${platform === 'darwin' ? 'macOS' : 'another system'}.
  Use a machine or a container with Debian 12. Or build mediasoup's worker yourself (https://mediasoup.org), set MEDIASOUP_WORKER_BIN to its path, and
  install ffmpeg, without which nothing is recorded.`)
}
