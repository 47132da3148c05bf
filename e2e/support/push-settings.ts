import { createECDH } from 'node:crypto'

const PRIVATE_KEY_BYTES = 32

const curve = createECDH('prime256v1')

/** Settings of a service with push, whose endpoints may be on this machine. */
export function pushSettings(): Record<string, string> {
  do curve.generateKeys()
  while (curve.getPrivateKey().length < PRIVATE_KEY_BYTES) // OpenSSL drops leading zeros
  return {
    SVC_PUSH_ENABLED: '1',
    SVC_PUSH_VAPID_PUBLIC_KEY: curve.getPublicKey('base64url'),
    SVC_PUSH_VAPID_PRIVATE_KEY: curve.getPrivateKey('base64url'),
    SVC_PUSH_SUBJECT: 'mailto:admin@example.org',
    SVC_PUSH_ALLOW_INSECURE_ENDPOINTS: '1',
  }
}
