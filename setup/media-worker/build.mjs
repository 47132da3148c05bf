import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { debianRelease } from '../debian-release.mjs'
import { copyAtomically } from '../machine-cache.mjs'
import { localCache } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run, SetupError } from '../run.mjs'
import { installDebianPackages } from '../steps/debian-packages.mjs'

const script = join(import.meta.dirname, 'build.sh')

/** The compiler, build tools and libraries of the worker. */
export const buildPackages = [
  ...['g++', 'patch', 'pkg-config', 'meson', 'ninja-build', 'flatbuffers-compiler'],
  ...['libabsl-dev', 'libflatbuffers-dev', 'libsrtp2-dev', 'libssl-dev', 'libusrsctp-dev', 'libuv1-dev'],
]

/**
 * Builds the media worker from the source in mediasoup's package.
 *
 * @param {string} mediasoup the folder of the package
 * @param {string} target the file to create
 * @param {'lectern' | 'stock'} [variant] stock: without Lectern's changes, for benchmarks
 */
export async function build(mediasoup, target, variant = 'lectern') {
  if (!debianRelease) {
    throw new SetupError(`No media worker can be downloaded for this system, and it can be built automatically on Debian only.
  Build mediasoup's worker manually (https://mediasoup.org) and set MEDIASOUP_WORKER_BIN to its path.`)
  }
  await installDebianPackages(buildPackages)
  // Survives an interruption, so that the next build continues in it. Its name contains the version.
  const work = join(localCache, basename(dirname(target)))
  try {
    await step('Building the media worker', report =>
      run(script, [join(mediasoup, 'worker'), work, variant], {
        onLine: line => report(ninjaProgress(line)),
      }),
    )
    copyAtomically(join(work, 'mediasoup-worker'), target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The "[12/345]" at the start of a line of ninja. @param {string} line */
const ninjaProgress = line => line.match(/^\[\d+\/\d+\]/)?.[0] ?? ''
