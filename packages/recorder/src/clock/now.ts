/** The one clock of what is received and of what is written. */
export { nowMs } from '@lectern/worker-kit'
