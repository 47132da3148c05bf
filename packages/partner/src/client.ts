import { Address } from './address.ts'
import { invalidArgument, LecternError } from './errors.ts'
import type { Fetch } from './exchange.ts'
import { RETRY_DELAYS_MS } from './retry.ts'
import { type CallOptions, Session, type SlidesOptions } from './session.ts'
import type {
  DeliveryDetailsResponse,
  DeliveryListResponse,
  DeliveryResponse,
  RecordingRecord,
  RecordingsResponse,
  RoomListResponse,
  RoomPutResponse,
  RoomRequest,
  RoomResponse,
  RoomSlides,
  RoomStatusResponse,
  ServerInfoResponse,
  WebhookRequest,
  WebhookResponse,
} from './types.ts'
import { PartnerV2 } from './v2/client.ts'

export interface PartnerClientOptions {
  /** The base URL of the server, e.g. `https://meet.example.org`. */
  baseUrl: string
  serviceAccount: string
  clientSecret: string
  /** The delays between attempts; there is one more attempt than delays. Default: 1 s, 3 s, 10 s. */
  retryDelaysMs?: readonly number[]
  /** The timeout of each attempt in milliseconds. Default: 15 s. */
  timeoutMs?: number
  /** Replaces the global fetch, e.g. to use a proxy. */
  fetch?: Fetch
}

/** Filters of a list of rooms, and its position. */
export interface RoomListOptions extends CallOptions {
  status?: 'scheduled' | 'cancelled' | 'closed'
  /** Your ids of the people. */
  teacher?: string
  student?: string
  /** Part of the title, the external_id or the tag. */
  search?: string
  /** 1 to 200. */
  limit?: number
  /** `next` of the previous page. */
  before?: string
}

export interface DeliveryListOptions extends CallOptions {
  status?: 'pending' | 'delivered' | 'failed' | 'cancelled'
  /** 1 to 200. */
  limit?: number
  /** `next` of the previous page. */
  before?: string
}

export interface DownloadOptions extends CallOptions {
  /** One range as in HTTP, e.g. `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. */
  range?: string
}

/**
 * A client of the partner API (docs/partner-api.md#endpoints). All methods may be repeated, and
 * retry temporary failures (docs/partner-api.md#errors). They throw a `LecternError`.
 */
export class PartnerClient {
  readonly #address: Address
  readonly #session: Session
  /** Version 2 of the API, on the same rooms. */
  readonly v2: PartnerV2

  constructor(options: PartnerClientOptions) {
    const { baseUrl, serviceAccount, clientSecret } = options
    if (!serviceAccount || !clientSecret)
      throw invalidArgument('serviceAccount and clientSecret are required.')
    this.#address = new Address(baseUrl)
    this.#session = new Session({
      address: this.#address,
      serviceAccount,
      clientSecret,
      fetch: options.fetch ?? globalThis.fetch,
      retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
      timeoutMs: options.timeoutMs ?? 15_000,
    })
    this.v2 = new PartnerV2(this.#address, this.#session)
  }

  async serverInfo(options?: CallOptions): Promise<ServerInfoResponse> {
    return this.#session.json({ ...options, url: this.#address.of('/api/v1/integration/server_info') })
  }

  /**
   * Creates the room, or returns the existing one unchanged; `updateRoom` changes it (docs/partner-api.md#create-a-room).
   * `differing_fields` of the response are those that differ from an existing room.
   */
  async createRoom(
    externalId: string,
    room: RoomRequest = {},
    options?: CallOptions,
  ): Promise<RoomPutResponse> {
    return this.#session.json({ ...options, method: 'PUT', url: this.#address.room(externalId), body: room })
  }

  /** A page of your rooms, newest first; null as `next` ends the list (docs/partner-api.md#list-rooms). */
  async listRooms({ signal, timeoutMs, ...query }: RoomListOptions = {}): Promise<RoomListResponse> {
    const url = this.#address.of('/api/v1/integration/rooms')
    return this.#session.json({ ...callOptions(signal, timeoutMs), url: withQuery(url, query) })
  }

  async getRoom(externalId: string, options?: CallOptions): Promise<RoomResponse> {
    return this.#session.json({ ...options, url: this.#address.room(externalId) })
  }

  /** Omitted fields stay unchanged. Use the links of the response: one may have been rotated (rule HOSTED-4). */
  async updateRoom(externalId: string, changes: RoomRequest, options?: CallOptions): Promise<RoomResponse> {
    const url = this.#address.room(externalId)
    return this.#session.json({ ...options, method: 'PATCH', url, body: changes })
  }

  async cancelRoom(externalId: string, options?: CallOptions): Promise<RoomResponse> {
    return this.#session.json({ ...options, method: 'POST', url: this.#roomPart(externalId, 'cancel') })
  }

  /** Closes the room, and ends a live call in it. */
  async closeRoom(externalId: string, options?: CallOptions): Promise<RoomResponse> {
    return this.#session.json({ ...options, method: 'POST', url: this.#roomPart(externalId, 'close') })
  }

  async roomStatus(externalId: string, options?: CallOptions): Promise<RoomStatusResponse> {
    return this.#session.json({ ...options, url: this.#roomPart(externalId, 'status') })
  }

  /**
   * Puts a PDF or an image on the board of the room, before the lesson or during it. Large documents may need a longer
   * `timeoutMs`.
   */
  async putSlides(
    externalId: string,
    document: Blob | Uint8Array<ArrayBuffer>,
    { name, ...options }: SlidesOptions = {},
  ): Promise<{ result: 200; slides: RoomSlides }> {
    const url = withQuery(this.#roomPart(externalId, 'slides'), { name })
    return this.#session.json({ ...options, method: 'PUT', url, content: document })
  }

  /** `slides` is null if none were put. */
  async getSlides(
    externalId: string,
    options?: CallOptions,
  ): Promise<{ result: 200; slides: RoomSlides | null }> {
    return this.#session.json({ ...options, url: this.#roomPart(externalId, 'slides') })
  }

  /** Requires `url` and `secret` the first time; later, omitted fields stay unchanged (docs/partner-api.md#webhook-settings). */
  async setWebhook(webhook: WebhookRequest, options?: CallOptions): Promise<WebhookResponse> {
    return this.#session.json({ ...options, method: 'PUT', url: this.#address.webhook(), body: webhook })
  }

  async getWebhook(options?: CallOptions): Promise<WebhookResponse> {
    return this.#session.json({ ...options, url: this.#address.webhook() })
  }

  /** Removes the webhook and cancels its pending deliveries (docs/partner-api.md#webhook-settings). */
  async deleteWebhook(options?: CallOptions): Promise<WebhookResponse> {
    return this.#session.json({ ...options, method: 'DELETE', url: this.#address.webhook() })
  }

  /** Sends an event of the type `webhook.test` to the webhook (docs/partner-api.md#test-the-webhook). */
  async testWebhook(options?: CallOptions): Promise<DeliveryResponse> {
    return this.#session.json({ ...options, method: 'POST', url: this.#address.webhook('test') })
  }

  /** Replaces the secret; deliveries have signatures of both until the overlap ends (rule SECRET-1). */
  async rotateWebhookSecret(
    rotation: { secret: string; overlap_seconds?: number },
    options?: CallOptions,
  ): Promise<WebhookResponse> {
    return this.#session.json({
      ...options,
      method: 'POST',
      url: this.#address.webhook('rotate'),
      body: rotation,
    })
  }

  /** Ends the overlap: the previous secret is not used any more. */
  async finishWebhookRotation(options?: CallOptions): Promise<WebhookResponse> {
    return this.#session.json({ ...options, method: 'POST', url: this.#address.webhook('rotate', 'finish') })
  }

  /** A page of what was sent to the webhook, newest first (docs/partner-api.md#deliveries). */
  async listDeliveries({
    signal,
    timeoutMs,
    ...query
  }: DeliveryListOptions = {}): Promise<DeliveryListResponse> {
    const url = withQuery(this.#address.webhook('deliveries'), query)
    return this.#session.json({ ...callOptions(signal, timeoutMs), url })
  }

  /** A delivery with its attempts, the responses to them, and the event itself. */
  async getDelivery(id: string, options?: CallOptions): Promise<DeliveryDetailsResponse> {
    return this.#session.json({ ...options, url: this.#address.webhook('deliveries', id) })
  }

  /** Sends it again with the same id and content. */
  async replayDelivery(id: string, options?: CallOptions): Promise<DeliveryResponse> {
    return this.#session.json({
      ...options,
      method: 'POST',
      url: this.#address.webhook('deliveries', id, 'replay'),
    })
  }

  /** The archive, newest first, at most 500 records. Needs the capability `recordings.access` (rule ARCHIVE-1). */
  async listRecordings(options?: CallOptions): Promise<RecordingRecord[]> {
    const url = this.#address.of('/api/v1.0/recordings')
    const { recordings } = await this.#session.json<RecordingsResponse>({ ...options, url }, ensureIndexed)
    return recordings
  }

  /**
   * Downloads a stored file; returns a Response with an unread body. Accepts a `blob_id` or a `url` of a record; URLs of
   * another origin are fetched without the token. `timeoutMs` applies until the response begins.
   */
  async downloadBlob(urlOrId: string, { range, ...options }: DownloadOptions = {}): Promise<Response> {
    const headers = { accept: '*/*', ...(range && { range }) }
    return this.#session.stream({ ...options, url: this.#address.blob(urlOrId), headers })
  }

  /** Discards the token, so that the next call signs in again: a token keeps the scopes that it was issued with (rule TOKEN-3). */
  forgetToken(): void {
    this.#session.forgetToken()
  }

  #roomPart(externalId: string, part: string): URL {
    const url = this.#address.room(externalId)
    url.pathname += `/${part}`
    return url
  }
}

const callOptions = (signal?: AbortSignal, timeoutMs?: number): CallOptions => ({
  ...(signal && { signal }),
  ...(timeoutMs !== undefined && { timeoutMs }),
})

/** Undefined values are left out. */
function withQuery(url: URL, query: object): URL {
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url
}

/** The archive may fail with HTTP 200 and `ok: false` (rule ARCHIVE-3). */
function ensureIndexed({ ok, error }: RecordingsResponse): void {
  if (ok) return
  const message = error || 'The archive cannot be read right now.'
  throw new LecternError('archive_unavailable', message, { status: 200, retryable: true })
}
