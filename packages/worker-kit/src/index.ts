/** `@lectern/worker-kit`: everything that a worker needs besides its `work` function. README.md has an example. */

export { nowMs } from './clock.ts'
export { isDiskFull, retryWhileDiskFull, waitForDiskSpace } from './disk-space.ts'
export { jobLogFields } from './held-job.ts'
export type * from './ports.ts'
export { startWorker, type WorkerProgram } from './program.ts'
export { type RtpPacket, readRtp } from './rtp.ts'
