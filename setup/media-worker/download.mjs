import { step } from '../progress.mjs'
import { run } from '../run.mjs'

const TIME_LIMIT_MS = 60_000

/**
 * Lets mediasoup download a ready-made worker into its own folder. Whether one came is for the caller to see.
 *
 * @param {string} mediasoup the folder of the package
 */
export async function download(mediasoup) {
  const env = {
    MEDIASOUP_WORKER_BIN: undefined,
    // Without a download the script begins a build, for which Python fetches its own tools. Ours needs no
    // network; a Python that only fails ends theirs at once.
    PYTHON: 'false',
  }
  const options = { cwd: mediasoup, env, timeoutMs: TIME_LIMIT_MS }
  const download = () => run(process.execPath, ['npm-scripts.mjs', 'postinstall'], options)
  await step('Downloading the media worker', download).catch(() => console.log('  there is none to be had'))
}
