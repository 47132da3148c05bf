import { createECDH, randomBytes } from 'node:crypto'
import { authSessionStore } from '../../packages/server/src/accounts/stores/auth-sessions.ts'
import { userStore } from '../../packages/server/src/accounts/stores/users.ts'
import type { PushSubscription } from '../../packages/server/src/messaging/push/ports.ts'
import { pushSubscriptionStore } from '../../packages/server/src/messaging/stores/push-subscriptions.ts'

type Database = Parameters<typeof userStore>[0]

const MONTH_S = 30 * 86_400

const keys = createECDH('prime256v1')
keys.generateKeys()
const publicKey = keys.getPublicKey('base64url')

/** Adds an account; returns its id. */
export async function addAccount(db: Database, login: string): Promise<number> {
  const user = await userStore(db).add({
    login,
    displayName: '',
    kind: 'ordinary',
    passwordHash: null,
    capabilities: [],
    createdAt: 1,
  })
  if (!user) throw new Error(`${login} exists`)
  return user.id
}

/** Adds an account that is signed in in a browser with notifications; returns its id. Nobody can decrypt them. */
export async function addSubscribedAccount(
  db: Database,
  { login, endpoint, nowMs }: { login: string; endpoint: string; nowMs: number },
): Promise<number> {
  const id = await addAccount(db, login)
  const signIn = { id: `signin-${id}`, userId: id, generation: 1, secretHash: null, lastRequest: null }
  const times = { createdAt: 1, usedAt: 1, expiresAt: Math.floor(nowMs / 1000) + MONTH_S, revokedAt: null }
  await authSessionStore(db).add({ ...signIn, ...times, network: null, browser: null, platform: null })
  const subscription: PushSubscription = {
    clientId: id,
    endpoint,
    provider: 'webpush',
    token: '',
    p256dh: publicKey,
    auth: randomBytes(16).toString('base64url'),
    permission: 'granted',
    platform: 'web',
    userAgent: '',
    expirationTime: null,
    subscriptionJson: '{}',
    updatedAt: 1,
  }
  await pushSubscriptionStore(db).save(subscription, { authSessionId: signIn.id, replaces: null, max: 20 })
  return id
}
