import { spawnSync } from 'node:child_process'

/** The exit code of a worker without MEDIASOUP_VERSION (worker/src/main.cpp). */
const WITHOUT_VERSION = 41

/**
 * Whether the file is a worker that runs on this machine with all its libraries.
 *
 * @param {string} file
 */
export function runs(file) {
  const env = { ...process.env, MEDIASOUP_VERSION: undefined }
  return spawnSync(file, { env, stdio: 'ignore' }).status === WITHOUT_VERSION
}
