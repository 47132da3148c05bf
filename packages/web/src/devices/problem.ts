/** Why a device cannot be used. Each has its text in `texts`. */
export const DEVICE_PROBLEMS = [
  'refused', // by the user, now or earlier
  'refused_by_system', // by the privacy settings of the system
  'refused_by_frame', // the embedding page does not delegate the permission
  'missing',
  'in_use',
  'insecure', // browsers open devices in secure contexts only
  'failed',
  'background_failed', // it could not be hidden, and the room is not shown instead
  'background_slow', // this machine is too slow to hide it
] as const
export type DeviceProblem = (typeof DEVICE_PROBLEMS)[number]

interface PageContext {
  /** The page is a secure context. */
  secure: boolean
  /** An embedding page, if any, delegates the permission. */
  delegated: boolean
}

/** Maps an error of getUserMedia to its cause. */
export function readProblem(error: unknown, { secure, delegated }: PageContext): DeviceProblem {
  if (!secure) return 'insecure'
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      if (!delegated) return 'refused_by_frame'
      return /system/i.test(message) ? 'refused_by_system' : 'refused'
    case 'NotFoundError':
    case 'OverconstrainedError': // the device was requested by id
      return 'missing'
    case 'NotReadableError':
    case 'AbortError': // Firefox, when the device does not start
      return 'in_use'
    default:
      return 'failed'
  }
}

/** Showing the room would help, which only the user may decide. */
export const isBackground = (problem: DeviceProblem) => problem.startsWith('background')

/** Whether another device would be refused as well. */
export const isRefusal = (problem: DeviceProblem) => problem.startsWith('refused') || problem === 'insecure'
