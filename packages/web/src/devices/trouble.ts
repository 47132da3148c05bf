/** Why a device cannot be used. Each has its own words in `texts`. */
export const DEVICE_TROUBLES = [
  'refused', // by the visitor, now or earlier
  'refused_by_system', // by the privacy settings of the machine
  'refused_by_frame', // the page around ours does not pass the permission on
  'missing',
  'in_use',
  'insecure', // browsers open devices on https pages only
  'failed',
] as const
export type DeviceTrouble = (typeof DEVICE_TROUBLES)[number]

interface Surroundings {
  /** The page came over https, or from this machine. */
  secure: boolean
  /** The page around ours, if any, lets it ask. */
  delegated: boolean
}

/** What a browser means with its error. */
export function readTrouble(error: unknown, { secure, delegated }: Surroundings): DeviceTrouble {
  if (!secure) return 'insecure'
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      if (!delegated) return 'refused_by_frame'
      return /system/i.test(message) ? 'refused_by_system' : 'refused'
    case 'NotFoundError':
    case 'OverconstrainedError': // a device was asked for by its id
      return 'missing'
    case 'NotReadableError':
    case 'AbortError': // Firefox, when the device does not start
      return 'in_use'
    default:
      return 'failed'
  }
}

/** Asking for another device would be refused as well. */
export const isRefusal = (trouble: DeviceTrouble) => trouble.startsWith('refused') || trouble === 'insecure'
