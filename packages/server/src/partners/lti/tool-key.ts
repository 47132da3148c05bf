import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import type { PlatformStore } from '../stores/lti/platforms.ts'

const ALGORITHM = 'RS256'
const VALID_SECONDS = 300

/** Signs what this server sends to platforms. The key is made when it is first needed, and is the same on all servers. */
export class ToolKey {
  readonly #store: Pick<PlatformStore, 'findOrAddKey'>
  readonly #clock: Clock
  #key: Promise<JWK> | null = null

  constructor(store: Pick<PlatformStore, 'findOrAddKey'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** The key set that platforms fetch. */
  async publicKeys(): Promise<{ keys: JWK[] }> {
    const { kty, n, e, kid } = await this.#load()
    return { keys: [{ kty, n, e, kid, alg: ALGORITHM, use: 'sig' } as JWK] }
  }

  async sign(
    claims: Record<string, unknown>,
    { issuer, subject, audience, id }: { issuer: string; subject?: string; audience: string; id: string },
  ): Promise<string> {
    const jwk = await this.#load()
    const now = unixSeconds(this.#clock)
    const token = new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: jwk.kid as string })
      .setIssuer(issuer)
      .setAudience(audience)
      .setJti(id)
      .setIssuedAt(now)
      .setExpirationTime(now + VALID_SECONDS)
    if (subject !== undefined) token.setSubject(subject)
    return token.sign(await importJWK(jwk, ALGORITHM))
  }

  #load(): Promise<JWK> {
    this.#key ??= this.#store.findOrAddKey(makeKey).then(
      text => JSON.parse(text) as JWK,
      error => {
        this.#key = null
        throw error
      },
    )
    return this.#key
  }
}

async function makeKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return JSON.stringify({ ...jwk, kid: await calculateJwkThumbprint(jwk) })
}
