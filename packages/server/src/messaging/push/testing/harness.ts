import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import webPush from 'web-push'
import type { User } from '../../../accounts/ports.ts'
import { authSessionStore } from '../../../accounts/stores/auth-sessions.ts'
import { userStore } from '../../../accounts/stores/users.ts'
import { DomainEvents, type MessageStored } from '../../../domain-events.ts'
import { openMainStore } from '../../../platform/db/open.ts'
import { createLog } from '../../../platform/log.ts'
import { dropDatabaseOf, mainStoreIn } from '../../../testing/location.ts'
import { pushCallOutboxStore } from '../../stores/push-call-outbox.ts'
import { pushDeliveryStore } from '../../stores/push-deliveries.ts'
import { pushOutboxStore } from '../../stores/push-outbox.ts'
import { pushSubscriptionStore } from '../../stores/push-subscriptions.ts'
import type { CallNow, Presence, PushSubscription } from '../ports.ts'
import { PushSender, type PushSenderSettings } from '../sender.ts'
import { PushService } from '../service.ts'

export const DAY_MS = 86_400_000
export const vapid = { ...webPush.generateVAPIDKeys(), subject: 'mailto:admin@example.org' }

export type PushHarness = Awaited<ReturnType<typeof openPushHarness>>

/** Real stores in a folder of their own, with a clock that starts now and is moved by hand. */
export async function openPushHarness() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-push-'))
  const file = await mainStoreIn(folder)
  const store = await openMainStore(file)
  const closers: (() => Promise<void>)[] = [() => store.close()]
  let nowMs = Date.now()
  const clock = () => nowMs
  const lines: string[] = []
  const log = createLog('trace', { write: line => lines.push(line) })
  const users = userStore(store.db)
  const authSessions = authSessionStore(store.db)
  const subscriptions = pushSubscriptionStore(store.db)
  const deliveries = pushDeliveryStore(store.db)
  const outbox = pushOutboxStore(store.db)
  const callOutbox = pushCallOutboxStore(store.db)
  const visible = new Set<number>()
  const connected = new Set<number>()
  const presence: Presence = {
    hasConnection: id => connected.has(id),
    hasVisibleConnection: id => visible.has(id),
  }

  const describe = <T>(all: Map<number, T>, id: number): T | null => {
    if (harness.damaged.has(id)) throw new Error(`${id} is damaged`)
    return all.get(id) ?? null
  }

  const harness = {
    folder,
    db: store.db,
    users,
    authSessions,
    subscriptions,
    deliveries,
    outbox,
    callOutbox,
    /** The present state of calls, by id. */
    calls: new Map<number, CallNow>(),
    /** The stored messages as messaging describes them, by id. */
    messages: new Map<number, MessageStored>(),
    /** The ids of messages and calls of which nothing can be said. */
    damaged: new Set<number>(),
    clock,
    lines,
    connected,
    visible,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** An account with a sign-in, which has the id `signin-<user id>`. */
    addUser: async (login: string): Promise<User> => {
      const user = await users.add({
        login,
        displayName: login,
        kind: 'ordinary',
        capabilities: [],
        passwordHash: null,
        createdAt: 1,
      })
      if (!user) throw new Error('taken')
      await harness.addSignIn(user.id, `signin-${user.id}`)
      return user
    },
    addSignIn: (userId: number, id: string) =>
      authSessions.add({
        id,
        userId,
        generation: 1,
        secretHash: null,
        lastRequest: null,
        network: null,
        browser: null,
        platform: null,
        createdAt: 1,
        usedAt: 1,
        expiresAt: Math.floor((nowMs + 30 * DAY_MS) / 1000),
        revokedAt: null,
      }),
    subscribe: (subscription: PushSubscription, signIn = `signin-${subscription.clientId}`) =>
      subscriptions.save(subscription, { authSessionId: signIn, replaces: null, max: 20 }),
    /** Starts the service with its queue; several are several processes. */
    start: (settings: Partial<PushSenderSettings> = {}, ttlMs = DAY_MS) => {
      const domainEvents = new DomainEvents(log)
      const sender = new PushSender({ vapid, native: null, ttlMs, allowInsecure: true, clock, ...settings })
      const service = new PushService({
        subscriptions,
        deliveries,
        outbox,
        describeMessage: async (_, id, userId) => {
          const message = describe(harness.messages, id)
          const isMeant = (each: { userId: number }) => userId === undefined || each.userId === userId
          return message && { ...message, recipients: message.recipients.filter(isMeant) }
        },
        callOutbox,
        describeCall: async id => describe(harness.calls, id),
        presence,
        sender,
        ttlMs,
        domainEvents,
        clock,
        log,
      })
      // As messaging says of it until it changes.
      domainEvents.subscribe('message-stored', event => {
        harness.messages.set(Number(event.message.id), event)
      })
      service.start()
      closers.unshift(() => service.stop())
      return { service, domainEvents }
    },
    close: async () => {
      for (const close of closers) await close()
      await dropDatabaseOf(folder)
      rmSync(folder, { recursive: true })
    },
  }
  onTestFinished(() => harness.close())
  return harness
}

export const until = (check: () => unknown) => vi.waitFor(check, { timeout: 100_000, interval: 5 })
