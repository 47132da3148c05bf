import { type AccountView, ControlClient, platformEnvironment } from '@lectern/control-client'
import type { CallInfo, Target } from '@lectern/protocol/control/client'
import { afterEach } from 'vitest'
import { WebSocket } from 'ws'
import type { Account } from './members.ts'
import { waitFor } from './wait.ts'

/** Creates devices, which disconnect after each test. */
export function useAccountDevices(): (url: string, account: Account) => AccountDevice {
  const devices: AccountDevice[] = []
  afterEach(() => {
    for (const device of devices.splice(0)) device.client.close()
  })
  return (url, account) => {
    const device = new AccountDevice(url, account)
    devices.push(device)
    return device
  }
}

/** A device of an account without a browser. */
export class AccountDevice {
  readonly client: ControlClient
  readonly userId: string
  /** What the account says of itself. */
  readonly #me: () => Promise<Response>

  constructor(url: string, { access_token, user_id }: Account) {
    this.userId = String(user_id)
    this.#me = () => fetch(`${url}/api/v1.0/me`, { headers: { authorization: `Bearer ${access_token}` } })
    this.client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async waitForRefusal => (waitForRefusal ? null : access_token),
      client: { name: 'e2e', version: '1', platform: 'node' },
    })
    this.client.open()
  }

  get view(): AccountView | null {
    return this.client.account(this.userId).get()
  }

  get self(): Target {
    return { kind: 'account', id: this.userId }
  }

  /** Requests a contact by login, as people do. */
  async requestContact(other: AccountDevice): Promise<void> {
    const { login } = (await (await other.#me()).json()) as { login: string }
    await this.client.command('contact.add', this.self, { login })
  }

  /** Asks, and the other one accepts. */
  async becomeContactOf(other: AccountDevice): Promise<void> {
    await this.requestContact(other)
    await other.client.command('contact.add', other.self, { user_id: this.userId })
  }

  async invite(...people: AccountDevice[]): Promise<CallInfo> {
    const body = { user_ids: people.map(each => each.userId), video: true }
    const { call } = await this.client.command('call.invite', { kind: 'operation', id: 'new' }, body)
    return call
  }

  async act(name: 'call.accept' | 'call.decline' | 'call.cancel' | 'call.leave', { call_id }: CallInfo) {
    await this.client.command(name, { kind: 'operation', id: call_id }, {})
  }

  /** Waits for the newest call of the account in that state, or with that reason of its end. */
  async waitForCall(is: string): Promise<CallInfo> {
    return waitFor(async () => {
      const { calls } = await this.client.command('call.list', this.self, { limit: 1 })
      const [call] = calls
      return call && (call.state === is || call.reason === is) ? call : null
    }, `a call that is ${is}`)
  }
}
