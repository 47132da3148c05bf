import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { assertSystem } from './debian-release.mjs'
import { withLock } from './lock.mjs'
import { buildPackages } from './media-worker/build.mjs'
import { localCache } from './paths.mjs'
import { isSupported } from './pinned-node.mjs'
import { hasWorked, inSeconds, say, stopwatch } from './progress.mjs'
import { endRunning, SetupError } from './run.mjs'
import { buildPrograms, buildServedClients, buildWebPages } from './steps/build.mjs'
import { findMissingDebianPackages, installMissing } from './steps/debian-packages.mjs'
import { cacheMediaWorker, isMediaWorkerAvailable, prepareMediaWorker } from './steps/media-worker.mjs'
import { downloadNpmPackage, installNpmPackages } from './steps/npm-packages.mjs'

export { explain } from './run.mjs'

/** Debian packages that the service needs. */
const runtimePackages = ['bubblewrap', 'ffmpeg', 'poppler-utils']
/** Debian packages of the reverse proxies with a tested configuration. */
const proxies = ['nginx', 'nginx-common', 'libnginx-mod-stream', 'caddy']
/** Those that build the Debian package and its repository. */
const packagingPackages = ['binutils', 'dpkg-dev', 'gnupg']
const voices = ['pocketsphinx-testdata', 'festival', 'festvox-us-slt-hts']
/** Debian packages of a cluster on this machine: PostgreSQL, NATS, and OpenStack Swift as an S3 server. */
const clusterPackages = [
  'postgresql',
  'nats-server',
  'swift-proxy',
  'swift-account',
  'swift-container',
  'swift-object',
]
/** GStreamer with webrtcbin, a WebRTC stack that is not a browser's, and its bindings for Python. */
const gstreamer = [
  'gstreamer1.0-plugins-base',
  'gstreamer1.0-plugins-good',
  'gstreamer1.0-plugins-bad',
  'gstreamer1.0-nice',
  'gir1.2-gst-plugins-base-1.0',
  'gir1.2-gst-plugins-bad-1.0',
  'python3-gi',
]
/**
 * Debian packages that the tests need: browsers, fonts for Latin and Cyrillic text, curl and python3 for the quickstart
 * in the README, python3, pip, PHP and Composer for the clients of the partner API, GStreamer, coturn, a cluster, openssl for certificates, clamd, reverse proxies, Prometheus for its alerts (promtool), voices for transcription, and a display and sound server for
 * Firefox.
 */
const testPackages = [
  'chromium',
  'chromium-headless-shell',
  'firefox-esr',
  'iproute2',
  'xvfb',
  'pulseaudio',
  'fonts-dejavu-core',
  'curl',
  'python3',
  'python3-pip',
  'php-cli',
  'composer',
  'coturn',
  ...gstreamer,
  ...clusterPackages,
  'openssl',
  'clamav-daemon',
  ...proxies,
  'prometheus',
  ...packagingPackages,
  ...voices,
]

/**
 * Prepares the checkout to run, and optionally to test or to run a cluster. Steps without changes do nothing.
 *
 * @param {{ forTests?: boolean, forCluster?: boolean }} [options]
 */
export async function prepare({ forTests = false, forCluster = false } = {}) {
  if (!isSupported())
    throw new SetupError('This version of Node is not supported: use npm start and npm test.')
  assertSystem({ ...(isMediaWorkerAvailable() && { workerBin: 'available' }) })
  const more = [...(forTests ? testPackages : []), ...(forCluster ? clusterPackages : [])]
  const seconds = stopwatch()
  process.once('SIGINT', stop).once('SIGTERM', stop) // once: a second Ctrl+C exits immediately
  await withLock(join(localCache, 'setup.lock'), async () => {
    const needsWorker = !isMediaWorkerAvailable()
    const wanted = [...runtimePackages, ...(needsWorker ? buildPackages : []), ...more]
    // Before anything else begins: it may fail with a command for root.
    const missing = await findMissingDebianPackages([...new Set(wanted)])
    const debianPackages = installMissing(missing)
    const npmPackages = installNpmPackages({ all: forTests })
    await together(
      debianPackages,
      npmPackages,
      needsWorker && cacheWorkerEarly(debianPackages),
      npmPackages.then(() => together(buildPrograms(), buildWebPages())).then(buildServedClients),
    )
    await prepareMediaWorker()
  })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (hasWorked) say(`Ready in ${inSeconds(seconds())}`)
}

/**
 * Builds the media worker, which takes longer than everything else, while npm still installs packages.
 *
 * @param {Promise<unknown>} debianPackages with the compiler
 */
async function cacheWorkerEarly(debianPackages) {
  const folder = join(localCache, `mediasoup-${process.pid}`)
  try {
    const [mediasoup] = await Promise.all([downloadNpmPackage('mediasoup', folder), debianPackages])
    await cacheMediaWorker(mediasoup)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Waits for all tasks, so that none goes on after a failure, and fails like the first one that failed.
 *
 * @param {...unknown} tasks
 */
async function together(...tasks) {
  await Promise.allSettled(tasks)
  await Promise.all(tasks)
}

/** The exit codes of signals, as shells define them. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 }

/** @param {keyof typeof exitCodes} signal */
async function stop(signal) {
  say('Stopping…')
  await endRunning()
  process.exit(exitCodes[signal])
}
