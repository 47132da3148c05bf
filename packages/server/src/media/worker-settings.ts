import type { WorkerSettings } from 'mediasoup/types'

/**
 * How media workers are created. mediasoup's released worker uses io_uring where the kernel has it: it needs more CPU time
 * there, locks memory, and is forbidden in containers with Docker's seccomp profile (decision 78).
 */
export const WORKER_SETTINGS = { logLevel: 'error', disableLiburing: true } as const satisfies WorkerSettings
