import { randomUUID } from 'node:crypto'
import { lazyCheck } from '@lectern/protocol'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Platform } from '../stores/lti/platforms.ts'
import { type FetchPlatform, jsonOf } from './http.ts'
import type { ToolKey } from './tool-key.ts'

const answer = lazyCheck(
  Type.Object({ access_token: Type.String(), expires_in: Type.Optional(Type.Unknown()) }),
)
/** A token is not used in the last minute of its validity. */
const MARGIN_MS = 60_000

/** Access tokens for the services of platforms (IMS Security Framework 1.0, section 4.1). */
export class PlatformTokens {
  readonly #parts: { key: ToolKey; fetch: FetchPlatform; clock: Clock }
  readonly #known = new LRUCache<string, { token: string; untilMs: number }>({ max: 200 })

  constructor(parts: { key: ToolKey; fetch: FetchPlatform; clock: Clock }) {
    this.#parts = parts
  }

  /** Throws when the platform gives none. */
  async get(platform: Platform, scope: string): Promise<string> {
    const { key, fetch, clock } = this.#parts
    const name = `${platform.id} ${scope}`
    const known = this.#known.get(name)
    if (known && clock() < known.untilMs) return known.token
    const { ltiClientId, tokenUrl } = platform
    const assertion = await key.sign(
      {},
      { issuer: ltiClientId, subject: ltiClientId, audience: tokenUrl, id: randomUUID() },
    )
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      scope,
    })
    const given = jsonOf(await fetch(tokenUrl, { method: 'POST', body }))
    if (!answer.Check(given)) throw new Error('the platform gave no access token')
    const { access_token: token, expires_in: seconds } = given
    // Some platforms send it in quotes. Without it, the token is used once.
    this.#known.set(name, { token, untilMs: clock() + (Number(seconds) || 0) * 1000 - MARGIN_MS })
    return token
  }

  /** After a 401. */
  forget(platform: Platform, scope: string): void {
    this.#known.delete(`${platform.id} ${scope}`)
  }
}
