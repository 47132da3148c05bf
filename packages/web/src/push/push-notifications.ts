import { Mutex, Observable } from '@lectern/common'
import type { JsonObject } from '@lectern/protocol/control/client'
import type { AccountConnection } from '../account-connection/account-connection.ts'
import type { StoredValue } from '../stored-value.ts'
import type { BrowserSubscription, PushBrowser } from './push-browser.ts'

export type PushState =
  | { is: 'checking' }
  /** disabled: by the server's operator. */
  | { is: 'unavailable'; why: 'disabled' | 'unsupported' | 'install' }
  | { is: 'blocked' } // the user, or the browser, denies notifications
  /** `failed`: the last attempt to turn it on or off. */
  | { is: 'off'; failed: boolean }
  | { is: 'on'; failed: boolean }
  | { is: 'changing'; to: 'on' | 'off' }

/** The stored choice of this browser profile: whose notifications are on here. */
interface Wish {
  userId: string
  /** The last endpoint that the server was notified of. */
  endpoint: string
}

interface PushNotificationsOptions {
  connection: Pick<AccountConnection, 'userId' | 'self' | 'command'>
  browser: PushBrowser
  stored: StoredValue
  /** The public key of the server; empty: it sends no pushes. Rejects while the server cannot be reached. */
  loadServerKey: () => Promise<string>
}

const USER_AGENT_MAX = 512
const UPDATE = 'push_subscription_update'

/** Whether this browser notifies the signed-in user while no page is open. Every start brings the server up to date. */
export class PushNotifications extends Observable<PushState> {
  readonly #options: PushNotificationsOptions
  readonly #mutex = new Mutex()
  #serverKey = ''
  #isSynced = false

  constructor(options: PushNotificationsOptions) {
    super({ is: 'checking' })
    this.#options = options
  }

  /** Subscribes again where necessary: after a change of the key, of the browser's subscription or of the permission. */
  readonly sync = (): Promise<void> => this.#mutex.run(() => this.#trySync())

  /** Once more, if the last time failed. */
  readonly resync = (): Promise<void> =>
    this.#mutex.run(async () => {
      if (!this.#isSynced) await this.#trySync()
    })

  async #trySync(): Promise<void> {
    this.#isSynced = false
    try {
      this.#serverKey = await this.#options.loadServerKey()
      await this.#sync()
      this.#isSynced = true
    } catch {
      if (this.get().is === 'checking') this.set({ is: 'off', failed: false })
    }
  }

  /** MUST be called from an event of the user: the browser asks for permission. */
  readonly turnOn = async (): Promise<void> => {
    const { browser } = this.#options
    this.set({ is: 'changing', to: 'on' })
    try {
      const permission = await browser.requestPermission()
      await this.#mutex.run(async () => {
        if (permission === 'granted') await this.#register()
        else await this.#report()
      })
      if (permission === 'granted') this.set({ is: 'on', failed: false })
      else this.#showOff()
    } catch {
      this.set({ is: 'off', failed: true })
    }
  }

  readonly turnOff = (): Promise<void> =>
    this.#mutex.run(async () => {
      this.set({ is: 'changing', to: 'off' })
      try {
        await this.#remove()
        this.#showOff()
      } catch {
        this.set({ is: 'on', failed: true })
      }
    })

  /** The user signs out: the browser gets no more pushes of the account. The server ends them with the sign-in. */
  readonly signOut = async (): Promise<void> => {
    if (!this.#wish) return
    this.#options.stored.remove()
    await this.#options.browser.unsubscribe().catch(() => {})
  }

  async #sync(): Promise<void> {
    const { browser, stored } = this.#options
    const wish = this.#wish
    const permission = browser.permission()
    if (permission === 'unsupported' || permission === 'install') return this.#showOff()
    if (wish === null) {
      // A subscription of an account that used this browser before ends.
      if (stored.get() !== null && permission === 'granted') await browser.unsubscribe()
      return this.#showOff()
    }
    if (this.#serverKey === '' || permission !== 'granted') {
      await this.#remove()
      return this.#showOff()
    }
    await this.#register()
    this.set({ is: 'on', failed: false })
  }

  async #register(): Promise<void> {
    const { browser } = this.#options
    const current = await browser.current()
    const isCurrent = current !== null && (current.serverKey ?? this.#serverKey) === this.#serverKey
    const subscription = isCurrent ? current : await browser.subscribe(this.#serverKey)
    await this.#store(subscription)
  }

  async #store({ endpoint, json }: BrowserSubscription): Promise<void> {
    const { connection, browser, stored } = this.#options
    const previous = this.#wish?.endpoint
    const { keys, expirationTime } = json as { keys?: JsonObject; expirationTime?: number | null }
    await this.#update({
      endpoint,
      ...(previous !== undefined && previous !== endpoint && { previous_endpoint: previous }),
      ...keys,
      permission: 'granted',
      supported: true,
      platform: 'web',
      user_agent: browser.userAgent.slice(0, USER_AGENT_MAX),
      ...(typeof expirationTime === 'number' && { expiration_time: Math.round(expirationTime) }),
      subscription: json,
    })
    const wish: Wish = { userId: connection.userId, endpoint }
    stored.set(JSON.stringify(wish))
  }

  /** At the server and in the browser. */
  async #remove(): Promise<void> {
    const { browser, stored } = this.#options
    const current = await browser.current().catch(() => null)
    const endpoint = current?.endpoint ?? this.#wish?.endpoint
    await this.#report(endpoint)
    await browser.unsubscribe()
    stored.remove()
  }

  async #report(endpoint?: string): Promise<void> {
    const permission = this.#options.browser.permission()
    const reported = permission === 'granted' || permission === 'install' ? 'default' : permission
    await this.#update({
      endpoint: '',
      ...(endpoint && { previous_endpoint: endpoint }),
      permission: reported,
      supported: reported !== 'unsupported',
      platform: 'web',
      user_agent: this.#options.browser.userAgent.slice(0, USER_AGENT_MAX),
    })
  }

  #update(body: JsonObject): Promise<unknown> {
    const { connection } = this.#options
    return connection.command(UPDATE, connection.self, body as never)
  }

  #showOff(): void {
    const permission = this.#options.browser.permission()
    if (permission === 'unsupported' || permission === 'install')
      this.set({ is: 'unavailable', why: permission })
    else if (this.#serverKey === '') this.set({ is: 'unavailable', why: 'disabled' })
    else if (permission === 'denied') this.set({ is: 'blocked' })
    else this.set({ is: 'off', failed: false })
  }

  /** Null: notifications of this account are not on here. */
  get #wish(): Wish | null {
    try {
      const wish = JSON.parse(this.#options.stored.get() ?? 'null') as Wish | null
      return wish?.userId === this.#options.connection.userId ? wish : null
    } catch {
      return null
    }
  }
}
