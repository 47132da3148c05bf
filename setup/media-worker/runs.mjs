import { spawnSync } from 'node:child_process'

/** The exit code of a worker without MEDIASOUP_VERSION (worker/src/main.cpp). */
const WITHOUT_VERSION = 41
const ATTEMPTS_MAX = 100

/**
 * Whether the file is a worker that runs on this machine with all its libraries.
 *
 * @param {string} file
 */
export function runs(file) {
  const env = { ...process.env, MEDIASOUP_VERSION: undefined }
  for (let attempt = 1; ; attempt++) {
    const { status, error } = spawnSync(file, { env, stdio: 'ignore' })
    // A program that another thread starts has the file open for writing, for the moment until it is executed.
    const isBusy = error && 'code' in error && error.code === 'ETXTBSY'
    if (!isBusy || attempt === ATTEMPTS_MAX) return status === WITHOUT_VERSION
  }
}
