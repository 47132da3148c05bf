import { createHmac } from 'node:crypto'
import type { Binding } from '@lectern/protocol/control'
import type { Clock } from '../../platform/clock.ts'
import { equalSecrets } from '../../platform/constant-time.ts'

interface ResumeTokensOptions {
  /**
   * The same on all servers of an installation; the first one signs, each of them verifies. Called when somebody has signed
   * in: without a JwtSecret nobody can.
   */
  keys: () => readonly [Buffer, ...Buffer[]]
  clock: Clock
}

/** The connection that a token resumes, at one of its generations. */
export interface ResumeSubject {
  userId: number
  instanceId: string
  binding: Binding
}

/** Lessons end within a day; what is resumed later is a connection that nobody remembers. */
const VALID_MS = 24 * 3_600_000

/** Signs resume tokens, which every server can verify (rule Y13). */
export class ResumeTokens {
  readonly #parts: ResumeTokensOptions

  constructor(parts: ResumeTokensOptions) {
    this.#parts = parts
  }

  issue(subject: ResumeSubject): string {
    const expiresAtMs = String(this.#parts.clock() + VALID_MS)
    return `${expiresAtMs}.${sign(this.#parts.keys()[0], expiresAtMs, subject)}`
  }

  /** Whether a server of the installation has issued the token for exactly this, not too long ago. */
  isGenuine(token: string, subject: ResumeSubject): boolean {
    const [expiresAtMs = '', signature = '', ...rest] = token.split('.')
    const isSignedWith = (key: Buffer) => equalSecrets(signature, sign(key, expiresAtMs, subject))
    if (rest.length > 0 || !this.#parts.keys().some(isSignedWith)) return false
    return this.#parts.clock() < Number(expiresAtMs)
  }
}

function sign(key: Buffer, expiresAtMs: string, { userId, instanceId, binding }: ResumeSubject): string {
  const { deployment_id, tenant_id, logical_connection_id, binding_generation } = binding
  const connection = [deployment_id, tenant_id, logical_connection_id, binding_generation]
  const text = JSON.stringify([expiresAtMs, userId, instanceId, ...connection])
  return createHmac('sha256', key).update(text).digest('base64url')
}
