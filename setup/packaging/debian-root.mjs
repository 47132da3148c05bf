/** `node setup/packaging/debian-root.mjs`: prints the folder of a clean Debian, which tests install packages in. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { debianRelease } from '../debian-release.mjs'
import { cacheFolder } from '../machine-cache.mjs'
import { step } from '../progress.mjs'
import { run, SetupError } from '../run.mjs'

export const TESTED_RELEASE = '12'
const SUITE = 'bookworm'

/**
 * systemd, and what Lectern's package depends on: tests install that package without a network, which fails if one is missing
 * here.
 */
const packages = [
  ...['systemd', 'adduser', 'bubblewrap', 'ffmpeg', 'poppler-utils'],
  ...['libnss3', 'libsrtp2-1', 'libssl3', 'libuv1'],
]

/** An interrupted installation is repeated as a whole. */
const WITHOUT_SYNC = 'force-unsafe-io'

/** Other files of a minimal Debian are kept; these only cost time. */
const without = ['/usr/share/man/*', '/usr/share/locale/*', '/usr/share/doc/*/*']

const options = [
  '--variant=minbase',
  `--include=${packages.join(',')}`,
  '--aptopt=APT::Install-Recommends "false"',
  `--dpkgopt=${WITHOUT_SYNC}`,
  ...without.map(path => `--dpkgopt=path-exclude=${path}`),
]

/** Changes with what is installed. */
const fingerprint = createHash('sha256').update(options.join('\n')).digest('hex').slice(0, 12)

/**
 * Made once for each machine, and never changed: whoever uses it mounts a layer over it.
 *
 * @returns {Promise<string>}
 */
export async function debianRoot() {
  if (debianRelease !== TESTED_RELEASE)
    throw new SetupError(`The Debian package is tested on Debian ${TESTED_RELEASE} only.`)
  const folder = cacheFolder(`debian-root-${SUITE}-${process.arch}-${fingerprint}`)
  if (!existsSync(folder)) await step('Installing a clean Debian for tests', () => install(folder))
  return folder
}

/**
 * Atomically: an interrupted installation is repeated.
 *
 * @param {string} folder
 */
async function install(folder) {
  const temporary = `${folder}.${process.pid}`
  mkdirSync(dirname(folder), { recursive: true })
  try {
    await run('mmdebstrap', ['--mode=root', '--format=directory', ...options, SUITE, temporary])
    // Packages that tests install are complete.
    writeFileSync(join(temporary, 'etc/dpkg/dpkg.cfg.d/99mmdebstrap'), `${WITHOUT_SYNC}\n`)
    renameSync(temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

if (import.meta.filename === process.argv[1]) console.log(await debianRoot())
