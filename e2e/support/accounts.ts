import type { Page } from 'playwright-core'
import type { Lectern, UserSettings } from './lectern.ts'
import type { Account } from './members.ts'

export interface Credentials {
  login: string
  password: string
  name: string
}

/** A server or a cluster. */
interface Installation {
  addUser(login: string, settings: UserSettings): Promise<string>
}

/** Creates an account with a generated password. Without a name it has that of its login, with a capital letter. */
export async function addUser(
  installation: Installation,
  login: string,
  settings: UserSettings = {},
): Promise<Credentials> {
  const name = settings.name ?? login.charAt(0).toUpperCase() + login.slice(1)
  const password = await installation.addUser(login, { ...settings, name })
  return { login, password, name }
}

export async function signInAs({ url }: { url: string }, { login, password }: Credentials): Promise<Account> {
  const content = await request(url, 'POST', '/api/v1.0/auth/login', { login, password })
  return { ...content, ...content.user } as Account
}

/** Creates a conference of the account through the API. */
export async function createConference({ url }: Lectern, account: Account, title: string) {
  const created = await request(url, 'POST', '/api/v1.0/conferences', { title }, account.access_token)
  return { tag: String(created.tag), link: String(created.join_url) }
}

/** Signs in with a form of the page. */
export async function fillSignIn(page: Page, { login, password }: Pick<Credentials, 'login' | 'password'>) {
  await page.getByRole('textbox', { name: 'Username' }).fill(login)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

async function request(url: string, method: string, path: string, body: object, token?: string) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const content = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(content)}`)
  return content
}
