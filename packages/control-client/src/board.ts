import { Emitter, KeyedMutex } from '@lectern/common'
import {
  applyPageEvent,
  type PageElements,
  type PageState,
  pageElements,
  pageStream,
} from '@lectern/protocol/control/client'
import type { BodyOf, DataOf } from './bodies.ts'
import type { ControlClient } from './client.ts'
import { ControlFailure } from './failure.ts'

/** A change of a page: its whole content was replaced, some elements have changed, or it cannot be watched. */
export type PageChange =
  | { is: 'replaced' }
  | { is: 'changed'; elementIds: string[] }
  | { is: 'failed'; failure: ControlFailure }

/** The part of the client that a page needs. */
export type WatchingClient = Pick<
  ControlClient,
  'command' | 'forgetStream' | 'onEvent' | 'onSnapshot' | 'onStreamRemoved'
>

/** A server does not order commands: an `unwatch` must overtake no `watch` of the same page, nor the other way round. */
const turns = new WeakMap<WatchingClient, KeyedMutex>()

function turnsOf(client: WatchingClient): KeyedMutex {
  const known = turns.get(client) ?? new KeyedMutex()
  turns.set(client, known)
  return known
}

/**
 * One page of a board with its present content, also after reconnects and on another server (rule C32). Its creator MUST
 * close it.
 */
export class WatchedPage {
  readonly streamId: string
  #client: WatchingClient
  #sessionId: string
  #pageId: string
  #elements: PageElements = new Map()
  #isComplete = false
  #isClosed = false
  #changed = new Emitter<PageChange>()
  #stops: (() => void)[]
  on = this.#changed.on

  constructor(client: WatchingClient, sessionId: string, pageId: string) {
    this.#client = client
    this.#sessionId = sessionId
    this.#pageId = pageId
    this.streamId = pageStream(sessionId, pageId)
    this.#stops = [
      client.onSnapshot(({ streamId, state }) => {
        if (streamId !== this.streamId) return
        this.#elements = pageElements(state as unknown as PageState)
        this.#isComplete = true
        this.#changed.emit({ is: 'replaced' })
      }),
      client.onEvent(({ stream_id, name, body }) => {
        if (stream_id !== this.streamId) return
        this.#changed.emit({ is: 'changed', elementIds: applyPageEvent(this.#elements, name, body) })
      }),
      client.onStreamRemoved(id => {
        if (id === this.streamId) void this.#watch()
      }),
    ]
    void this.#watch()
  }

  get elements(): ReadonlyMap<string, PageElements extends Map<string, infer E> ? E : never> {
    return this.#elements
  }

  /** Whether the content has arrived. It stays while the connection is lost. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /**
   * Watches the page once more, as after another entrance into the session, or after `failed`. Where it is watched already,
   * nothing changes.
   */
  renew(): void {
    if (!this.#isClosed) void this.#watch()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const stop of this.#stops) stop()
    void turnsOf(this.#client).run(this.streamId, async () => {
      // Somebody who is not inside any more watches nothing.
      await this.#command('board.unwatch').catch(() => {})
      this.#client.forgetStream(this.streamId)
    })
  }

  async #watch(): Promise<void> {
    try {
      await turnsOf(this.#client).run(this.streamId, () =>
        persist(async () => this.#isClosed || this.#command('board.watch')),
      )
    } catch (error) {
      if (!this.#isClosed && error instanceof ControlFailure)
        this.#changed.emit({ is: 'failed', failure: error })
    }
  }

  #command(name: 'board.watch' | 'board.unwatch'): Promise<unknown> {
    const target = { kind: 'conference_session', id: this.#sessionId } as const
    return this.#client.command(name, target, { page_id: this.#pageId })
  }
}

/** Commands that may be executed again: their elements have versions. */
type BoardChange = 'board.put' | 'board.delete' | 'board.restore' | 'board.move'

/** How long a change waits for the connection before its command is renewed. */
const CHANGE_TTL_MS = 240_000

/**
 * Sends a change of a page until the server has stored or refused it, however long the connection is lost: the same
 * element and version take effect once (rule C33). Rejects with a ControlFailure; the change has no effect then, unless
 * the client was closed.
 */
export const changeBoard = <N extends BoardChange>(
  client: Pick<ControlClient, 'command'>,
  sessionId: string,
  name: N,
  body: BodyOf<N>,
  signal?: AbortSignal,
): Promise<DataOf<N>> =>
  client.command(name, { kind: 'conference_session', id: sessionId }, body, {
    ttlMs: CHANGE_TTL_MS,
    isRenewed: true,
    ...(signal && { signal }),
  })

/** Issues a command again after repeatable failures: unlike `isRenewed`, only as long as it is needed. */
async function persist<T>(command: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await command()
    } catch (error) {
      if (!(error instanceof ControlFailure && error.isRepeatable)) throw error
    }
  }
}
