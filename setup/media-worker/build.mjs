import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { debianRelease } from '../debian-release.mjs'
import { copyWhole } from '../machine-cache.mjs'
import { localCache } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run, SetupError } from '../run.mjs'
import { installDebianPackages } from '../steps/debian-packages.mjs'

const script = join(import.meta.dirname, 'build.sh')

/** The compiler, the build tools, and the libraries that the worker is linked to. */
const packages = [
  ...['g++', 'patch', 'pkg-config', 'meson', 'ninja-build', 'flatbuffers-compiler'],
  ...['libabsl-dev', 'libflatbuffers-dev', 'libsrtp2-dev', 'libssl-dev', 'libusrsctp-dev', 'libuv1-dev'],
]

/**
 * Builds the media worker from the source in mediasoup's package.
 *
 * @param {string} mediasoup the folder of the package
 * @param {string} target the file to make
 */
export async function build(mediasoup, target) {
  if (!debianRelease) {
    throw new SetupError(`No media worker can be downloaded for this system, and only on Debian can one be built here.
  Build mediasoup's worker by hand (https://mediasoup.org) and name it in MEDIASOUP_WORKER_BIN.`)
  }
  await installDebianPackages(packages)
  // Still there after an interruption, so that the next build goes on in it. It has the version in its name.
  const work = join(localCache, basename(dirname(target)))
  try {
    await step('Building the media worker', tell =>
      run(script, [join(mediasoup, 'worker'), work], { onLine: line => tell(ninjaProgress(line)) }),
    )
    copyWhole(join(work, 'mediasoup-worker'), target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The "[12/345]" at the start of a line of ninja's. @param {string} line */
const ninjaProgress = line => line.match(/^\[\d+\/\d+\]/)?.[0] ?? ''
