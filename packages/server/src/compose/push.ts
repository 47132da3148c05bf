import { PushSender } from '../messaging/push/sender.ts'
import { PushService } from '../messaging/push/service.ts'
import { pushSenderSettings } from '../messaging/push/settings.ts'
import { PushSubscriptions } from '../messaging/push/subscriptions.ts'
import { hasWebPush } from '../platform/config/push.ts'
import { describeCall } from './call-events.ts'
import type { ServerContext } from './context.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

export type PushPart = ReturnType<typeof composePush>

/** Push notifications. While they are disabled, subscriptions can be removed, and nothing is sent. */
export function composePush(
  { config, clock, log, lifetime, lastTime, domainEvents }: ServerContext,
  { calls, pushSubscriptions, pushDeliveries, pushOutbox, pushCallOutbox }: Stores,
  { messaging: { messaging, describeMessage } }: SessionsPart,
) {
  const { Push } = config
  const subscriptions = new PushSubscriptions({
    store: pushSubscriptions,
    isEnabled: Push.Enabled,
    allowInsecure: Push.AllowInsecureEndpoints,
    clock,
  })
  const service = Push.Enabled
    ? new PushService({
        subscriptions: pushSubscriptions,
        deliveries: pushDeliveries,
        sender: new PushSender({ ...pushSenderSettings(config), clock }),
        presence: messaging.presence,
        outbox: pushOutbox,
        describeMessage,
        callOutbox: pushCallOutbox,
        describeCall: describeCall(calls),
        ttlMs: Push.TTL * 1000,
        domainEvents,
        clock,
        log,
        setBackMs: lastTime.setBackMs,
      })
    : null
  if (service) {
    lifetime.own('push deliveries', service, each => each.stop())
    service.start()
  }
  return { subscriptions, service, publicKey: hasWebPush(Push) ? Push.VapidPublicKey : '' }
}
