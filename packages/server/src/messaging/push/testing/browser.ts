import { createECDH, randomBytes } from 'node:crypto'
import ece from 'http_ece'
import type { PushSubscription } from '../ports.ts'

/** A browser's part of a subscription: it has the private key, and decrypts what arrives. */
export class TestBrowser {
  readonly #keys = createECDH('prime256v1')
  readonly #auth = randomBytes(16)

  constructor() {
    this.#keys.generateKeys()
  }

  get keys() {
    return { p256dh: this.#keys.getPublicKey('base64url'), auth: this.#auth.toString('base64url') }
  }

  /** RFC 8291. Throws if the body was not encrypted for this browser. */
  decrypt(body: Buffer): unknown {
    const clear = ece.decrypt(body, {
      version: 'aes128gcm',
      privateKey: this.#keys,
      authSecret: this.#auth.toString('base64url'),
    })
    return JSON.parse(clear.toString())
  }

  subscription(clientId: number, endpoint: string): PushSubscription {
    return {
      clientId,
      endpoint,
      provider: 'webpush',
      token: '',
      ...this.keys,
      permission: 'granted',
      platform: 'web',
      userAgent: 'Test/1',
      expirationTime: null,
      subscriptionJson: '{}',
      updatedAt: 1,
    }
  }
}

export const nativeSubscription = (clientId: number, token: string): PushSubscription => ({
  clientId,
  endpoint: token,
  provider: 'native_push',
  token,
  p256dh: '',
  auth: '',
  permission: 'granted',
  platform: 'android',
  userAgent: '',
  expirationTime: null,
  subscriptionJson: '{}',
  updatedAt: 1,
})
