import type { Address } from '../address.ts'
import type { Exchange } from '../exchange.ts'
import type { RoomStatus } from '../room-types.ts'
import type { CallOptions, Session } from '../session.ts'
import type { HostedEventType } from './event-types.ts'

/** The position of a page. Lists are ascending: entries that are added meanwhile follow. */
export interface PageOptions extends CallOptions {
  /** `next` of the previous page. */
  after?: number
  /** 1 to 200. */
  limit?: number
}

/** Lists that people read, too. */
export interface OrderedPageOptions extends PageOptions {
  /** `desc`: newest first; `after` goes on with older ones. Default: `asc`. */
  order?: 'asc' | 'desc'
}

export interface RoomListFilters extends OrderedPageOptions {
  /** Part of the title, `external_id` or code. */
  search?: string
  status?: RoomStatus
}

export interface EventFilters extends PageOptions {
  type?: HostedEventType
  /** `external_id` of a room. */
  room?: string
}

export interface RoomPageOptions extends PageOptions {
  /** `external_id` of a room; default: of all. */
  room?: string
}

export interface TranscriptPageOptions extends PageOptions {
  /** `external_id` of a room. */
  room: string
}

export interface EndpointDeliveryOptions extends OrderedPageOptions {
  status?: 'pending' | 'delivered' | 'failed' | 'cancelled'
}

export interface ActionOptions extends CallOptions {
  /** Repetitions within 24 h get the first answer. Default: a new one, which the retries of this call share. */
  idempotencyKey?: string
}

export type Result<T = object> = T & { result: 200 }
export type Page<Name extends string, T> = Result<Record<Name, T[]> & { next: number | null }>

/** The requests of version 2. */
export class RequestsV2 {
  readonly #address: Address
  readonly #session: Session

  constructor(address: Address, session: Session) {
    this.#address = address
    this.#session = session
  }

  protected get<T>(parts: string[], { signal, timeoutMs, ...query }: CallOptions & object = {}): Promise<T> {
    const url = this.#address.v2(parts)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const call = { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) }
    return this.#session.json({ ...call, url })
  }

  protected send<T>(
    method: 'PUT' | 'PATCH' | 'DELETE',
    parts: string[],
    body?: object,
    options?: CallOptions,
  ): Promise<T> {
    return this.#session.json({ ...options, method, url: this.#address.v2(parts), body })
  }

  protected upload<T>(
    parts: string[],
    content: Exchange['content'],
    query: Record<string, string | undefined>,
    options?: CallOptions,
  ): Promise<T> {
    const url = this.#address.v2(parts)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value)
    return this.#session.json({ ...options, method: 'PUT', url, content })
  }

  /** The key makes retries safe: a message is sent once. */
  protected post<T>(
    parts: string[],
    body?: object,
    { idempotencyKey, ...options }: ActionOptions = {},
  ): Promise<T> {
    const headers = { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }
    return this.#session.json({ ...options, method: 'POST', url: this.#address.v2(parts), body, headers })
  }

  protected text(parts: string[], options?: CallOptions): Promise<string> {
    const headers = { accept: 'text/*' }
    return this.#session.text({ ...options, url: this.#address.v2(parts), headers })
  }
}
