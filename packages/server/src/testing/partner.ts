import type { RoomPutResponse, RoomResponse } from '@lectern/protocol'
import type { ServiceAccount } from '../partners/ports.ts'
import type { Answer, Call } from './http.ts'

const BASE = '/api/v1/integration'

type Send = (method: string, path: string, options?: Call) => Promise<Answer>

/** A partner's backend: speaks to the integration API with its token. */
export class Partner {
  readonly account: ServiceAccount
  readonly secret: string
  token = ''
  readonly #send: Send

  private constructor(send: Send, account: ServiceAccount, secret: string) {
    this.#send = send
    this.account = account
    this.secret = secret
  }

  static async open(send: Send, account: ServiceAccount, secret: string): Promise<Partner> {
    const partner = new Partner(send, account, secret)
    await partner.renewToken()
    return partner
  }

  async renewToken(): Promise<Answer> {
    const answer = await requestToken(this.#send, this.account.name, this.secret)
    this.token = answer.body.access_token
    return answer
  }

  /** `path` follows the base path: `/rooms/lesson-1`. */
  call(method: string, path: string, options: Call = {}): Promise<Answer> {
    return this.#send(method, BASE + path, { token: this.token, ...options })
  }

  put = (externalId: string, body: unknown = {}) => this.#room('PUT', externalId, body)
  patch = (externalId: string, body: unknown) => this.#room('PATCH', externalId, body)
  get = (externalId: string) => this.#room('GET', externalId)

  /** Creates the room; throws when that fails. */
  async room(externalId: string, body: unknown = {}): Promise<RoomResponse> {
    const answer = await this.put(externalId, body)
    if (answer.status !== 200) throw new Error(`room was not created: ${JSON.stringify(answer.body)}`)
    return roomOf(answer.body)
  }

  #room(method: string, externalId: string, body?: unknown) {
    return this.call(method, `/rooms/${encodeURIComponent(externalId)}`, { body })
  }
}

/** The room of an answer to PUT, without its hints. */
export const roomOf = ({ created: _, differing_fields: __, ...room }: RoomPutResponse): RoomResponse => room

export const requestToken = (send: Send, serviceAccount: string, clientSecret: string) =>
  send('POST', `${BASE}/auth/token`, {
    body: { service_account: serviceAccount, client_secret: clientSecret },
  })

/** The secret part of a signed link. */
export const tokenOf = (joinUrl: string): string => joinUrl.slice(joinUrl.lastIndexOf('/') + 1)

/** Resolves a signed link. */
export const resolveLink = (send: Send, joinUrl: string) => send('GET', `${BASE}/join/${tokenOf(joinUrl)}`)

/** Signs in as the person of a signed link. */
export const enterLink = (send: Send, joinUrl: string, body?: unknown) =>
  send('POST', `${BASE}/join/${tokenOf(joinUrl)}`, { body })
