import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { debianRelease } from '../debian-release.mjs'
import { placeInCache } from '../machine-cache.mjs'
import { build } from '../media-worker/build.mjs'
import { download } from '../media-worker/download.mjs'
import { NAMED, originOf, putInPlace } from '../media-worker/in-place.mjs'
import { buildRecipe } from '../media-worker/recipe.mjs'
import { runs } from '../media-worker/runs.mjs'
import { root } from '../paths.mjs'
import { SetupError } from '../run.mjs'
import { installDebianPackages } from './debian-packages.mjs'

const mediasoup = join(root, 'node_modules/mediasoup')

/** Where mediasoup looks for its worker, so that no later command needs to be told. */
const inPlace = join(mediasoup, 'worker/out/Release/mediasoup-worker')

/** What a worker built on Debian 12 needs to run. On other releases these libraries come with those to build. */
const librariesOnDebian12 = ['libabsl20220623', 'libsrtp2-1', 'libssl3', 'libusrsctp2', 'libuv1']

/**
 * Puts a media worker that runs where mediasoup finds it. It is taken from MEDIASOUP_WORKER_BIN, else from
 * this machine's cache, else from mediasoup's release, whose SHA-256 must be pinned, else built from the source in
 * mediasoup's package. A worker in place that was built by another recipe is replaced; one that was named stays.
 *
 * @param {{ named?: string | undefined, target?: string, recipe?: string, getWorker?: (recipe: string) => Promise<string> }} [options]
 *   for tests
 */
export async function prepareMediaWorker({
  named = process.env.MEDIASOUP_WORKER_BIN,
  target = inPlace,
  recipe = buildRecipe(),
  getWorker = getCachedWorker,
} = {}) {
  if (named && !runs(named))
    throw new SetupError(`MEDIASOUP_WORKER_BIN names ${named}, which does not run here.`)
  const origin = originOf(target)
  if (origin && (named || origin === NAMED || origin === recipe)) return
  if (named) putInPlace(named, target, NAMED)
  else putInPlace(await getWorker(recipe), target, recipe)
}

/** The worker in the cache, which is filled first where it is empty. @param {string} recipe */
async function getCachedWorker(recipe) {
  const cached = placeInCache('mediasoup-worker', 'mediasoup', recipe)
  if (existsSync(cached) && debianRelease === '12' && !runs(cached))
    await installDebianPackages(librariesOnDebian12)
  if (runs(cached)) return cached

  const isDownloaded = await download(mediasoup, cached)
  if (!isDownloaded || !runs(cached)) await build(mediasoup, cached)
  if (!runs(cached)) throw new SetupError(`The media worker ${cached} does not run.`)
  return cached
}
