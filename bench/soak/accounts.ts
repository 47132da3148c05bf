interface Tokens {
  access_token: string
  refresh_token: string
  user?: { user_id: number }
  user_id?: number
}

/** A signed-in account. Tokens expire during a long run, and are refreshed. */
export class Account {
  readonly #url: string
  #tokens: Tokens
  readonly userId: number

  private constructor(url: string, tokens: Tokens) {
    this.#url = url
    this.#tokens = tokens
    this.userId = tokens.user?.user_id ?? tokens.user_id ?? 0
  }

  static async guest(url: string, display_name: string): Promise<Account> {
    return new Account(url, await post(`${url}/api/v1.0/auth/guest`, { display_name }))
  }

  static async signIn(url: string, login: string, password: string): Promise<Account> {
    return new Account(url, await post(`${url}/api/v1.0/auth/login`, { login, password }))
  }

  /** The account of a personal link. */
  static async byLink(link: string): Promise<Account> {
    const { origin } = new URL(link)
    return new Account(origin, await post(link.replace('/j/', '/api/v1/integration/join/'), {}))
  }

  /** `isRefused`: the current token has expired. */
  async token(isRefused = false): Promise<string> {
    if (isRefused) {
      const { refresh_token } = this.#tokens
      this.#tokens = await post(`${this.#url}/api/v1.0/auth/refresh`, { refresh_token })
    }
    return this.#tokens.access_token
  }
}

async function post(url: string, body: object): Promise<Tokens> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status} for ${new URL(url).pathname.slice(0, 24)}`)
  return (await response.json()) as Tokens
}
