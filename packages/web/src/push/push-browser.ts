import type { JsonObject } from '@lectern/protocol/control/client'

/** `unsupported`: the browser, or this kind of page, has no push. `install`: only once it is on the home screen (iOS). */
export type PushPermission = 'granted' | 'denied' | 'default' | 'unsupported' | 'install'

/** A subscription of this browser. */
export interface BrowserSubscription {
  endpoint: string
  /** The server key that it was made with, base64url; null where the browser does not say. */
  serverKey: string | null
  /** The subscription as the browser writes it. */
  json: JsonObject
}

/** The push functions of the browser. Methods reject when the browser or its push service fails. */
export interface PushBrowser {
  permission(): PushPermission
  /** Asks the user, if necessary. MUST be called from an event of the user. */
  requestPermission(): Promise<PushPermission>
  current(): Promise<BrowserSubscription | null>
  /** In place of the one with another key. */
  subscribe(serverKey: string): Promise<BrowserSubscription>
  unsubscribe(): Promise<void>
  userAgent: string
}

const WORKER = '/sw.js'

export const browserPush: PushBrowser = {
  permission: () => {
    if ('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator)
      return Notification.permission
    const isIos =
      /iPad|iPhone/.test(navigator.userAgent) ||
      (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
    return isIos && !matchMedia('(display-mode: standalone)').matches ? 'install' : 'unsupported'
  },

  requestPermission: async () => {
    if (browserPush.permission() === 'default') await Notification.requestPermission()
    return browserPush.permission()
  },

  current: async () => {
    const registration = await navigator.serviceWorker.getRegistration(WORKER)
    const subscription = await registration?.pushManager.getSubscription()
    return subscription ? describe(subscription) : null
  },

  subscribe: async serverKey => {
    await navigator.serviceWorker.register(WORKER)
    const { pushManager } = await navigator.serviceWorker.ready
    const before = await pushManager.getSubscription()
    if (before && describe(before).serverKey !== serverKey) await before.unsubscribe()
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(serverKey) }
    return describe(await pushManager.subscribe(options))
  },

  unsubscribe: async () => {
    const registration = await navigator.serviceWorker.getRegistration(WORKER)
    const subscription = await registration?.pushManager.getSubscription()
    await subscription?.unsubscribe()
  },

  get userAgent() {
    return navigator.userAgent
  },
}

function describe(subscription: PushSubscription): BrowserSubscription {
  const key = subscription.options.applicationServerKey
  return {
    endpoint: subscription.endpoint,
    serverKey: key && base64url(new Uint8Array(key)),
    json: subscription.toJSON() as JsonObject,
  }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, character => character.charCodeAt(0))
}
