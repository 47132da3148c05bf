import type { Api } from '../api/api.ts'
import type { Kept } from '../kept.ts'
import type { Exclusively } from './exclusively.ts'
import { Identity, isFresh, readSignIn, type Tokens } from './identity.ts'
import { readSaved, type SavedGuest, saveable } from './saved-guest.ts'

interface Parts {
  api: Api
  kept: Kept
  exclusively: Exclusively
}

/**
 * The one guest of this browser profile, shared by its tabs (contract §2.2 rule 5): made on first need, kept
 * through every failure, and forgotten only when the server says that the account was deleted.
 */
export class Guest extends Identity {
  readonly #api: Api
  readonly #kept: Kept
  readonly #exclusively: Exclusively
  /** The token that was handed out last; a refusal speaks of this one. */
  #given: string | null = null

  constructor({ api, kept, exclusively }: Parts) {
    super()
    this.#api = api
    this.#kept = kept
    this.#exclusively = exclusively
  }

  forget(): void {
    this.#kept.forget()
    this.#given = null
  }

  protected override async token(refused: string | undefined): Promise<Tokens | string> {
    const answer = await this.#exclusively(() => this.#next(refused))
    if (typeof answer !== 'string') this.#given = answer.accessToken
    return answer
  }

  async #next(refused: string | undefined): Promise<Tokens | string> {
    const saved = this.#saved()
    if (!saved) return this.#register()
    // Another tab may have a newer token already.
    const isRefused = refused !== undefined && saved.accessToken === this.#given
    if (isFresh(saved) && !isRefused) return saved
    const answer = await this.#refresh(saved)
    if (answer !== 'account_deleted') return answer
    this.#kept.forget()
    // Who was deleted during a visit stays out of it; who comes back later comes as somebody new.
    return this.#given === null ? this.#register() : answer
  }

  async #register(): Promise<Tokens | string> {
    const body = this.displayName ? { display_name: this.displayName } : {}
    const answer = readSignIn(await this.#api.post('/api/v1.0/auth/guest', body))
    // Where tabs cannot wait for each other, another may have been quicker: its guest is everybody's.
    return this.#saved() ?? this.#save(answer)
  }

  /** A lost answer is asked for again with the same `requestId`, by this or by another tab. */
  async #refresh(saved: SavedGuest): Promise<Tokens | string> {
    const body = { refresh_token: saved.refreshToken, request_id: saved.requestId }
    const answer = readSignIn(await this.#api.post('/api/v1.0/auth/refresh', body))
    const now = this.#saved()
    const isOvertaken = now !== null && now.refreshToken !== saved.refreshToken
    return isOvertaken ? now : this.#save(answer)
  }

  #save(answer: Tokens | string): Tokens | string {
    if (typeof answer !== 'string') this.#kept.set(saveable(answer))
    return answer
  }

  #saved(): SavedGuest | null {
    return readSaved(this.#kept.get())
  }
}
