import { createECDH } from 'node:crypto'
import { ConfigError } from './ini.ts'

interface PushSettings {
  Enabled: boolean
  VapidPublicKey: string
  VapidPrivateKey: string
  Subject: string
  NativeSenderUrl: string
  NativeSenderSecret: string
}

/** Whether browsers get pushes. */
export const hasWebPush = ({ Enabled, VapidPublicKey }: PushSettings): boolean =>
  Enabled && VapidPublicKey !== ''

/** Throws a ConfigError if keys of [Push] contradict each other. */
export function checkPush(push: PushSettings): void {
  const { VapidPublicKey, VapidPrivateKey, Subject, NativeSenderUrl, NativeSenderSecret } = push
  if ((VapidPublicKey === '') !== (VapidPrivateKey === ''))
    throw new ConfigError('[Push] VapidPublicKey and VapidPrivateKey go together: set both or none')
  if (VapidPublicKey !== '' && publicKeyOf(VapidPrivateKey) !== VapidPublicKey)
    throw new ConfigError('[Push] VapidPrivateKey does not belong to VapidPublicKey')
  if ((NativeSenderUrl === '') !== (NativeSenderSecret === ''))
    throw new ConfigError('[Push] NativeSenderUrl and NativeSenderSecret go together: set both or none')
  if (!push.Enabled) return
  if (VapidPublicKey !== '' && Subject === '')
    throw new ConfigError('[Push] Subject is missing: set it to a mailto: or https: address of the operator')
  if (VapidPublicKey === '' && NativeSenderUrl === '')
    throw new ConfigError('[Push] Enabled = 1 needs VAPID keys: "lectern push keys" makes them')
}

/** Null if it is no private key of the curve. */
function publicKeyOf(privateKey: string): string | null {
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(privateKey, 'base64url')
  } catch {
    return null
  }
  return curve.getPublicKey('base64url')
}
