import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { localCache } from './paths.mjs'
import { inSeconds, stopwatch } from './progress.mjs'
import { endRunning, SetupError } from './run.mjs'
import { buildPackages, buildWebPages } from './steps/build.mjs'
import { installDebianPackages } from './steps/debian-packages.mjs'
import { prepareMediaWorker } from './steps/media-worker.mjs'
import { buildNativeModules } from './steps/native-modules.mjs'
import { checkNodeVersion } from './steps/node-version.mjs'
import { installNpmPackages } from './steps/npm-packages.mjs'

/** Programs that are not npm packages: the Debian package that brings each. */
const toRun = ['ffmpeg']
const voices = ['pocketsphinx-testdata', 'festival', 'festvox-us-slt-hts']
/**
 * Pages show no text without a font, Cyrillic least of all; the README's quickstart runs with curl and python3; calls
 * go through coturn; somebody has to speak for what is written down; Firefox shares a real screen and plays sound only
 * to a real sound server.
 */
const toTest = [
  'chromium',
  'chromium-headless-shell',
  'firefox-esr',
  'iproute2',
  'xvfb',
  'pulseaudio',
  'fonts-dejavu-core',
  'curl',
  'python3',
  'coturn',
  ...voices,
]

/**
 * Makes the checkout ready to run, or also to test. Every step does nothing where nothing has changed.
 *
 * @param {{ forTests?: boolean }} [options]
 */
export async function prepare({ forTests = false } = {}) {
  const seconds = stopwatch()
  process.once('SIGINT', stop).once('SIGTERM', stop) // once: the second Ctrl-C leaves at once
  checkNodeVersion()
  await withLock(join(localCache, 'setup.lock'), async () => {
    await installDebianPackages(forTests ? [...toRun, ...toTest] : toRun)
    await installNpmPackages()
    await buildNativeModules()
    await prepareMediaWorker()
    await buildPackages()
    await buildWebPages()
  })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  console.log(`Ready in ${inSeconds(seconds())}`)
}

/** Prints why the preparation stopped. @param {unknown} err */
export function explain(err) {
  console.error(err instanceof SetupError ? `\nSetup stopped: ${err.message}\n` : err)
}

/** How to leave when asked to, as a shell would say it. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 }

/** @param {keyof typeof exitCodes} signal */
async function stop(signal) {
  console.log('Stopping…')
  await endRunning()
  process.exit(exitCodes[signal])
}
