import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { debianRelease } from '../debian-release.mjs'
import { copyWhole, placeInCache } from '../machine-cache.mjs'
import { build } from '../media-worker/build.mjs'
import { download } from '../media-worker/download.mjs'
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
 * mediasoup's package.
 */
export async function prepareMediaWorker() {
  const named = process.env.MEDIASOUP_WORKER_BIN
  if (named && !runs(named))
    throw new SetupError(`MEDIASOUP_WORKER_BIN names ${named}, which does not run here.`)
  if (runs(inPlace)) return
  copyWhole(named || (await cachedWorker()), inPlace)
}

/** The worker in the cache, which is filled first where it is empty. */
async function cachedWorker() {
  const cached = placeInCache('mediasoup-worker', 'mediasoup')
  if (existsSync(cached) && debianRelease === '12' && !runs(cached))
    await installDebianPackages(librariesOnDebian12)
  if (runs(cached)) return cached

  const isDownloaded = await download(mediasoup, cached)
  if (!isDownloaded || !runs(cached)) await build(mediasoup, cached)
  if (!runs(cached)) throw new SetupError(`The media worker ${cached} does not run.`)
  return cached
}
