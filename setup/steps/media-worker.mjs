import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { debianRelease } from '../debian-release.mjs'
import { cachePathOf } from '../machine-cache.mjs'
import { build } from '../media-worker/build.mjs'
import { installWorker, NAMED, originOf } from '../media-worker/in-place.mjs'
import { buildRecipe } from '../media-worker/recipe.mjs'
import { runs } from '../media-worker/runs.mjs'
import { root } from '../paths.mjs'
import { SetupError } from '../run.mjs'
import { installDebianPackages } from './debian-packages.mjs'

const WORKER = 'mediasoup-worker'
const mediasoup = join(root, 'node_modules/mediasoup')

/** The path where mediasoup looks for its worker. */
const inPlace = join(mediasoup, 'worker/out/Release/mediasoup-worker')

/** Runtime libraries of a worker built on Debian 12. On other releases the build libraries include them. */
const librariesOnDebian12 = ['libsrtp2-1', 'libssl3', 'libuv1']

/**
 * Installs a working media worker where mediasoup finds it: from MEDIASOUP_WORKER_BIN, from this machine's cache, or built from
 * the source in mediasoup's package. Replaces a worker that was built by another recipe, but not one from
 * MEDIASOUP_WORKER_BIN.
 *
 * @param {{ named?: string | undefined, target?: string, recipe?: string, getWorker?: (recipe: string) => Promise<string> }} [options]
 *   for tests
 */
export async function prepareMediaWorker({
  named = process.env.MEDIASOUP_WORKER_BIN,
  target = inPlace,
  recipe = buildRecipe(),
  getWorker = recipe => cacheMediaWorker(mediasoup, recipe),
} = {}) {
  if (named && !runs(named))
    throw new SetupError(`The program in MEDIASOUP_WORKER_BIN, ${named}, does not run here.`)
  const origin = originOf(target)
  if (origin && (named || origin === NAMED || origin === recipe)) return
  if (named) installWorker(named, target, NAMED)
  else installWorker(await getWorker(recipe), target, recipe)
}

/** Whether there is a media worker, so that none has to be built. */
export function isMediaWorkerAvailable() {
  if (process.env.MEDIASOUP_WORKER_BIN) return true
  const recipe = buildRecipe()
  return (
    [recipe, NAMED].includes(originOf(inPlace) ?? '') || existsSync(cachePathOf(WORKER, 'mediasoup', recipe))
  )
}

/**
 * The worker in this machine's cache, which is built if necessary. Needs no other npm package, so that it can
 * begin before they are installed.
 *
 * @param {string} mediasoup the folder of the unpacked package
 * @param {string} [recipe]
 */
export async function cacheMediaWorker(mediasoup, recipe = buildRecipe()) {
  const cached = cachePathOf(WORKER, mediasoup, recipe)
  if (existsSync(cached) && debianRelease === '12' && !runs(cached))
    await installDebianPackages(librariesOnDebian12)
  if (runs(cached)) return cached

  await build(mediasoup, cached)
  if (!runs(cached)) throw new SetupError(`The media worker ${cached} does not run.`)
  return cached
}
