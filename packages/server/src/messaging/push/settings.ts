import type { Config } from '../../platform/config/index.ts'
import type { PushSenderSettings } from './sender.ts'

/** The settings of senders. */
export function pushSenderSettings({ Push }: Config): Omit<PushSenderSettings, 'clock'> {
  const { VapidPublicKey, VapidPrivateKey, Subject, NativeSenderUrl, NativeSenderSecret } = Push
  return {
    vapid: VapidPublicKey
      ? { publicKey: VapidPublicKey, privateKey: VapidPrivateKey, subject: Subject }
      : null,
    native: NativeSenderUrl ? { url: NativeSenderUrl, secret: NativeSenderSecret } : null,
    ttlMs: Push.TTL * 1000,
    allowInsecure: Push.AllowInsecureEndpoints,
  }
}
