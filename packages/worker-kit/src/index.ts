/** `@lectern/worker-kit`: what a worker needs besides its work. README.md shows how a worker looks. */
export type * from './ports.ts'
export { startWorker, type WorkerProgram } from './program.ts'
export { isNoRoom, moreRoom, onceThereIsRoom } from './room.ts'
