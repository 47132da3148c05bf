/** `node setup/packaging/debian-root.mjs [bookworm|trixie]`: prints the folder of a clean Debian, which tests install packages in. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { debianRelease } from '../debian-release.mjs'
import { cacheFolder } from '../machine-cache.mjs'
import { step } from '../progress.mjs'
import { run, SetupError } from '../run.mjs'
import { installDebianPackages } from '../steps/debian-packages.mjs'

/** The release on which the package is built: its programs are linked to the libraries of that release, or later ones. */
export const BUILD_RELEASE = '12'
/** The suites of the releases on which it is tested: Debian 12 and 13. */
export const SUITES = ['bookworm', 'trixie']

/**
 * systemd, what Lectern's package depends on and recommends, what the guide for schools installs with it, and the init of the
 * container image: tests install them without a network, which fails if one is missing here. Debian 13 has the last two as
 * `libssl3t64` and `libuv1t64`.
 */
const packages = [
  ...['systemd', 'tini', 'adduser', 'bubblewrap', 'ffmpeg', 'poppler-utils'],
  ...['certbot', 'coturn', 'sudo', 'fonts-noto-color-emoji'],
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
 * @param {string} [suite] one of SUITES
 * @returns {Promise<string>}
 */
export async function debianRoot(suite = 'bookworm') {
  if (debianRelease !== BUILD_RELEASE)
    throw new SetupError(`The Debian package is tested where it is built, on Debian ${BUILD_RELEASE}.`)
  if (!SUITES.includes(suite)) throw new SetupError(`The suites are ${SUITES.join(' and ')}.`)
  const folder = cacheFolder(`debian-root-${suite}-${process.arch}-${fingerprint}`)
  if (existsSync(folder)) return folder
  await installDebianPackages(['mmdebstrap'])
  await step(`Installing a clean Debian for tests (${suite})`, () => install(suite, folder))
  return folder
}

/**
 * Atomically: an interrupted installation is repeated.
 *
 * @param {string} suite
 * @param {string} folder
 */
async function install(suite, folder) {
  const temporary = `${folder}.${process.pid}`
  mkdirSync(dirname(folder), { recursive: true })
  try {
    await run('mmdebstrap', ['--mode=root', '--format=directory', ...options, suite, temporary])
    // Packages that tests install are complete.
    writeFileSync(join(temporary, 'etc/dpkg/dpkg.cfg.d/99mmdebstrap'), `${WITHOUT_SYNC}\n`)
    renameSync(temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

if (import.meta.filename === process.argv[1]) console.log(await debianRoot(process.argv[2]))
