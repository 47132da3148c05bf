/** `@lectern/worker-kit`: what a worker needs besides its work. README.md shows how a worker looks. */

export { isDiskFull, retryWhileDiskFull, waitForDiskSpace } from './disk-space.ts'
export type * from './ports.ts'
export { startWorker, type WorkerProgram } from './program.ts'
