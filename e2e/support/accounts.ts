import type { Page } from 'playwright-core'
import type { Lectern } from './lectern.ts'
import type { Account } from './members.ts'

export interface Person {
  login: string
  password: string
  name: string
}

/** An account as an operator makes it. */
export async function addPerson(lectern: Lectern, login: string, ...options: string[]): Promise<Person> {
  const name = login.charAt(0).toUpperCase() + login.slice(1)
  const { password } = await lectern.command('user', 'add', login, '--name', name, ...options)
  return { login, password: String(password), name }
}

export async function signInAs({ url }: Lectern, { login, password }: Person): Promise<Account> {
  const answer = await ask(url, 'POST', '/api/v1.0/auth/login', { login, password })
  return { ...answer, ...answer.user } as Account
}

/** A conference of that account's, by the API. */
export async function makeConference({ url }: Lectern, account: Account, title: string) {
  const made = await ask(url, 'POST', '/api/v1.0/conferences', { title }, account.access_token)
  return { tag: String(made.tag), link: String(made.join_url) }
}

/** As somebody does it in a form of the page. */
export async function fillSignIn(page: Page, { login, password }: Pick<Person, 'login' | 'password'>) {
  await page.getByRole('textbox', { name: 'Username' }).fill(login)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

async function ask(url: string, method: string, path: string, body: object, token?: string) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
  return answer
}
