import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Clock } from '../../clock.ts'
import type { Delivery, WebhookSubscription } from '../ports.ts'
import { askNameServers, publicLookup, type Resolve } from './address.ts'
import { headersOf } from './signature.ts'
import { mayBeSentTo } from './target.ts'

/** What came of one attempt. */
export type Outcome =
  | { is: 'answered'; status: number }
  | { is: 'unreachable'; reason: string }
  | { is: 'forbidden'; reason: string } // nothing was sent, nor ever will be to this url

export type Send = (delivery: Delivery, to: WebhookSubscription, signal: AbortSignal) => Promise<Outcome>

export interface SendSettings {
  allowInsecure: boolean
  clock: Clock
  resolve?: Resolve
  withinMs?: number
}

const ANSWER_WITHIN_MS = 15_000
const BODY_LIMIT_BYTES = 4 * 1024
/** Node's 250 ms would give up on a far receiver that has addresses of both kinds. */
const TRY_ADDRESS_MS = 3_000

/** Posts deliveries: one connection for each, no redirect followed, no more of an answer read than its status. */
export function createSend(settings: SendSettings): Send {
  const { allowInsecure, clock, resolve = askNameServers, withinMs = ANSWER_WITHIN_MS } = settings
  const lookup = allowInsecure ? undefined : publicLookup(resolve)

  return async (delivery, to, signal) => {
    const url = new URL(to.url)
    if (!allowInsecure && !mayBeSentTo(url)) return { is: 'forbidden', reason: 'FORBIDDEN_URL' }
    const connection = {
      method: 'POST',
      headers: headersOf(delivery, to.secret, clock()),
      agent: false, // a connection that was kept may be closed by the other side just as it is used
      lookup,
      autoSelectFamilyAttemptTimeout: TRY_ADDRESS_MS,
      signal,
    }
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, connection)
    const late = Object.assign(new Error('no answer in time'), { code: 'TIMEOUT' })
    const timer = setTimeout(() => request.destroy(late), withinMs)
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve).on('error', reject)
        request.on('close', () => reject(new Error('closed without an answer'))) // e.g. 101
        request.end(delivery.body)
      })
      await discard(response)
      return { is: 'answered', status: response.statusCode ?? 0 }
    } catch (error) {
      return { is: 'unreachable', reason: (error as NodeJS.ErrnoException).code ?? 'NETWORK_ERROR' }
    } finally {
      clearTimeout(timer)
      request.destroy()
    }
  }
}

/** Lets a short body end, so that the receiver sees no broken connection; a long or broken one does not matter. */
async function discard(response: IncomingMessage) {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes > BODY_LIMIT_BYTES) return
    }
  } catch {
    // The status is what counts, and it has come.
  }
}
