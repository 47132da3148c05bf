import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import type { Lectern } from './lectern.ts'
import type { Account } from './members.ts'

export interface Credentials {
  login: string
  password: string
  name: string
}

/** Of a server or a cluster. */
interface CommandLine {
  command(...args: string[]): Promise<Record<string, unknown>>
}

/** Creates an account with the command line. */
export async function addUser(
  lectern: CommandLine,
  login: string,
  ...options: string[]
): Promise<Credentials> {
  const name = login.charAt(0).toUpperCase() + login.slice(1)
  const { password } = await lectern.command('user', 'add', login, '--name', name, ...options)
  return { login, password: String(password), name }
}

/**
 * Creates the accounts of a file through the API, as an administrator: the command line would start a process for each
 * one, which takes longer than many a story. `name` may be empty.
 */
export function useAccounts(lectern: Lectern): (login: string, name?: string) => Promise<Credentials> {
  let administrator: Account
  beforeAll(async () => {
    administrator = await signInAs(lectern, await addUser(lectern, 'administrator', '--capability', 'admin'))
  })
  return async (login, name = login.charAt(0).toUpperCase() + login.slice(1)) => {
    const user = { login, ...(name && { display_name: name }) }
    const path = '/api/v1.0/admin/users'
    const { password } = await request(lectern.url, 'POST', path, user, administrator.access_token)
    return { login, password: String(password), name }
  }
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
