import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, endianness } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { debianRelease } from '../debian-release.mjs'
import { copyAtomically } from '../machine-cache.mjs'
import { localCache } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run, SetupError } from '../run.mjs'
import { installDebianPackages } from '../steps/debian-packages.mjs'
import { copySources, unify } from './sources.mjs'

/** The Debian packages of the compiler, the tools and the libraries that a build needs. */
export const buildPackages = [
  ...['g++', 'patch', 'flatbuffers-compiler', 'libflatbuffers-dev'],
  ...['libsrtp2-dev', 'libssl-dev', 'libuv1-dev'],
]

const here = import.meta.dirname

/** Headers of libraries that Debian lacks, or has in another version. */
const standIns = join(here, 'include')

/** AES-GCM by OpenSSL. */
const ownSources = join(here, 'srtp')

const patches = ['tcp-connections.patch', 'aes-gcm.patch'].map(name => join(here, name))

/** As in the worker's meson.build. */
const defines = [
  '-DNDEBUG',
  '-DMS_EXECUTABLE',
  endianness() === 'LE' ? '-DMS_LITTLE_ENDIAN' : '-DMS_BIG_ENDIAN',
  '-DFLATBUFFERS_LOCALE_INDEPENDENT=1',
]
const schemaOptions = [
  ...['--cpp', '--cpp-field-case-style', 'lower', '--reflect-names', '--scoped-enums'],
  ...['--filename-suffix', ''],
]
const compilerOptions = ['-std=c++20', '-O2', '-w', ...defines]
const libraries = ['-lsrtp2', '-lssl', '-lcrypto', '-luv']

/**
 * Builds the media worker from the source in mediasoup's package, which is all that it needs besides Debian's packages.
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
  // Its name contains the version.
  const work = join(localCache, basename(dirname(target)))
  rmSync(work, { recursive: true, force: true })
  try {
    copySources(join(mediasoup, 'worker'), work)
    await step('Building the media worker', report => compile(work, variant, report))
    copyAtomically(join(work, 'mediasoup-worker'), target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * @param {string} work
 * @param {'lectern' | 'stock'} variant
 * @param {(progress: string) => void} report
 */
async function compile(work, variant, report) {
  acceptKtls(join(work, 'src/RTC/DtlsTransport.cpp'))
  if (variant === 'lectern')
    for (const patch of patches)
      await run('patch', ['--strip', '1', '--fuzz', '0', '--input', patch], { cwd: work })

  const schemas = readdirSync(join(work, 'fbs')).filter(name => name.endsWith('.fbs'))
  const generated = join(work, 'generated')
  mkdirSync(join(generated, 'FBS'), { recursive: true })
  await run('flatc', [...schemaOptions, '-o', join(generated, 'FBS'), ...schemas], { cwd: join(work, 'fbs') })

  const webrtc = join(work, 'deps/libwebrtc')
  const folders = [standIns, join(work, 'include'), generated, webrtc, join(webrtc, 'libwebrtc')]
  const options = [...compilerOptions, ...folders.flatMap(folder => ['-I', folder])]
  const own = variant === 'lectern' ? sourcesOf(ownSources) : []
  const parts = [...unify(work), ...own]
  const objects = parts.map((_, index) => join(work, `${index}.o`))
  let done = 0
  await forEach(parts.entries(), async ([index, part]) => {
    await run('nice', ['g++', ...options, '-c', part, '-o', join(work, `${index}.o`)])
    report(`[${++done}/${parts.length}]`)
  })
  await run('g++', ['-s', '-o', join(work, 'mediasoup-worker'), ...objects, ...libraries])
}

/** @param {string} folder */
const sourcesOf = folder =>
  readdirSync(folder)
    .filter(name => name.endsWith('.cpp'))
    .map(name => join(folder, name))

/**
 * The worker's BIO callback looks for BIO_CB_RETURN alone, but OpenSSL adds it to the operation, as a flag. So every
 * control call is answered with 1, also "is kTLS on?", which Debian's OpenSSL asks, and the first DTLS handshake crashes.
 *
 * @param {string} file
 */
function acceptKtls(file) {
  const source = readFileSync(file, 'utf8')
  const fixed = source.replace('(operationType == BIO_CB_RETURN)', '(operationType & BIO_CB_RETURN)')
  if (fixed === source) throw new Error('The change for kTLS does not apply to this version of mediasoup.')
  writeFileSync(file, fixed)
}

/**
 * Calls `work` for each item, as many at a time as there are cores.
 *
 * @template T
 * @param {Iterator<T> & Iterable<T>} items
 * @param {(item: T) => Promise<void>} work
 */
async function forEach(items, work) {
  const one = async () => {
    for (const item of items) await work(item)
  }
  const all = Array.from({ length: availableParallelism() }, one)
  // None goes on after a failure.
  await Promise.allSettled(all)
  await Promise.all(all)
}
