import { interruptibleSleep } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { Insider } from '../../sessions/participants/insider.ts'
import type { SessionPreview } from '../../sessions/participants/participant-preview.ts'
import type { PlatformAction, PlatformResult } from '../../sessions/platform-actions.ts'
import type { EndReason, TranscriptionOptions } from '../../sessions/ports.ts'
import type { ClusterNetwork } from '../network/network.ts'
import { isNoResponder, NetworkError } from '../network/network-error.ts'

/** The requests that any server may send to the owner of a conference's session. All of them may be repeated. */
export interface OwnerVerbs {
  end: { request: { tag: string; reason: Exclude<EndReason, 'empty'> }; answer: null }
  start_transcription: { request: { tag: string; options: TranscriptionOptions }; answer: boolean }
  /** The accounts inside. */
  list_inside: { request: { tag: string }; answer: number[] }
  /** Null: the account is not inside. */
  find_inside: { request: { tag: string; userId: number }; answer: Insider | null }
  /** The people inside; null: no session is open. */
  preview: { request: { tag: string }; answer: SessionPreview | null }
  /** May be repeated: a message has its command_id. */
  perform_for_platform: { request: { tag: string; action: PlatformAction }; answer: PlatformResult | null }
  stop_transcription: { request: { tag: string }; answer: boolean }
}
export type OwnerVerb = keyof OwnerVerbs

/** Executes it on this server, even when no session is open. */
export type OwnerActions = {
  [V in OwnerVerb]: (request: OwnerVerbs[V]['request']) => Promise<OwnerVerbs[V]['answer']>
}

interface OwnerRequestsParts {
  network: ClusterNetwork
  self: string
  actions: OwnerActions
  /** Whether this server runs the session of the conference. */
  isLocal: (tag: string) => boolean
  /** Which server runs the open session; null when none does: this one may do everything then. */
  findOwner: (tag: string) => Promise<string | null>
}

type Result<V extends OwnerVerb> = { is: 'answered'; answer: OwnerVerbs[V]['answer'] } | { is: 'gone' }

/** The lease of a dead owner runs out, and another server takes the session over, within this time. */
const TAKEOVER_MS = 6_000
const RETRY_MS = 250
const REQUEST_TIMEOUT_MS = 5_000

/** The answer of a server that is not the owner any more. */
const MOVED = 'moved'

/**
 * Passes a request on to the server that runs the session. While the owner is dead, it waits until another server has
 * taken over. Throws `temporarily_unavailable` when the owner cannot be reached, and what the owner refuses with.
 */
export class OwnerRequests {
  readonly #parts: OwnerRequestsParts
  readonly #stopping = new AbortController()
  readonly #stopServing: () => void

  constructor(parts: OwnerRequestsParts) {
    this.#parts = parts
    const prefix = `server.${parts.self}.do.`
    this.#stopServing = parts.network.serve(`${prefix}>`, (message, { subject }) =>
      this.#serve(subject.slice(prefix.length), message),
    )
  }

  stop(): void {
    this.#stopServing()
    this.#stopping.abort()
  }

  async perform<V extends OwnerVerb>(
    verb: V,
    request: OwnerVerbs[V]['request'],
  ): Promise<OwnerVerbs[V]['answer']> {
    const { isLocal } = this.#parts
    const { signal } = this.#stopping
    const deadline = performance.now() + TAKEOVER_MS
    while (!signal.aborted) {
      const owner = isLocal(request.tag) ? null : await this.#parts.findOwner(request.tag)
      const result = await (owner === null ? this.#perform(verb, request) : this.#ask(owner, verb, request))
      if (result.is === 'answered') return result.answer
      if (performance.now() > deadline) break
      await interruptibleSleep(RETRY_MS, signal)
    }
    throw new Refusal('temporarily_unavailable')
  }

  /** Here, unless another server has acquired the session meanwhile. */
  async #perform<V extends OwnerVerb>(verb: V, request: OwnerVerbs[V]['request']): Promise<Result<V>> {
    try {
      return { is: 'answered', answer: await this.#parts.actions[verb](request) }
    } catch (error) {
      if (error instanceof Refusal && error.code === 'elsewhere') return { is: 'gone' }
      throw error
    }
  }

  async #ask<V extends OwnerVerb>(
    owner: string,
    verb: V,
    request: OwnerVerbs[V]['request'],
  ): Promise<Result<V>> {
    try {
      const subject = `server.${owner}.do.${verb}`
      const answer = await this.#parts.network.request(subject, request, REQUEST_TIMEOUT_MS)
      const { is, result } = (answer ?? {}) as { is?: string; result?: OwnerVerbs[V]['answer'] }
      return is === MOVED ? { is: 'gone' } : { is: 'answered', answer: result as OwnerVerbs[V]['answer'] }
    } catch (error) {
      if (isNoResponder(error)) return { is: 'gone' }
      throw error
    }
  }

  async #serve(verb: string, message: unknown) {
    const { actions, isLocal } = this.#parts
    if (!Object.hasOwn(actions, verb)) throw new NetworkError('unsupported')
    const request = message as OwnerVerbs[OwnerVerb]['request']
    if (typeof request?.tag !== 'string') throw new NetworkError('unsupported')
    if (!isLocal(request.tag)) return { is: MOVED }
    const action = actions[verb as OwnerVerb] as (request: unknown) => Promise<unknown>
    return { is: 'done', result: await action(request) }
  }
}
