import { spawnSync } from 'node:child_process'

/** How a worker leaves that was not told mediasoup's version (worker/src/main.cpp). */
const WITHOUT_VERSION = 41

/**
 * Whether this is a worker that runs here, with all the libraries that it needs.
 *
 * @param {string} file
 */
export function runs(file) {
  const env = { ...process.env, MEDIASOUP_VERSION: undefined }
  return spawnSync(file, { env, stdio: 'ignore' }).status === WITHOUT_VERSION
}
