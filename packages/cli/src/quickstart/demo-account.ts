import { readFileSync } from 'node:fs'
import { SCOPES } from '@lectern/protocol'
import type { Operator } from '@lectern/server/operator'
import { ApiError, requestToken } from '../api.ts'
import { writeAtomically } from './folder.ts'
import { numbered } from './numbered.ts'

/** The content of demo-account.json. The database stores only a hash of the secret, so this file is its only copy. */
export interface DemoAccount {
  service_account: string
  client_secret: string
  url: string
}

const USER = 'demo-partner'
const ACCOUNT = 'demo'

/** The demo account with an access token: the account in the file if its secret is still valid, otherwise a new one. */
export async function openDemoAccount(
  file: string,
  url: string,
  operator: Operator,
): Promise<{ account: DemoAccount; token: string }> {
  const saved = readAccount(file)
  const token = saved && (await tokenOf({ ...saved, url }))
  const account = saved && token ? { ...saved, url } : { ...(await addAccount(operator)), url }
  writeAtomically(file, `${JSON.stringify(account, null, 2)}\n`)
  return {
    account,
    token: token ?? (await requestToken(url, account.service_account, account.client_secret)),
  }
}

/** Null when the file is missing or incomplete. */
function readAccount(file: string): DemoAccount | null {
  try {
    const { service_account, client_secret, url } = JSON.parse(readFileSync(file, 'utf8'))
    return service_account && client_secret ? { service_account, client_secret, url } : null
  } catch {
    return null
  }
}

/** Null when the account is deleted or disabled, or when its secret was hashed with another JwtSecret. */
async function tokenOf({ url, service_account, client_secret }: DemoAccount): Promise<string | null> {
  try {
    return await requestToken(url, service_account, client_secret)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

async function addAccount({ users, serviceAccounts }: Operator) {
  const login = await findOrAddUser(users)
  const taken = new Set((await serviceAccounts.list()).map(({ name }) => name))
  const name = firstAvailable(ACCOUNT, each => !taken.has(each))
  const { account, clientSecret } = await serviceAccounts.add(name, login, [...SCOPES])
  return { service_account: account.name, client_secret: clientSecret }
}

async function findOrAddUser(users: Operator['users']): Promise<string> {
  const known = new Set((await users.list()).map(({ login }) => login))
  for (let number = 1; ; number++) {
    const login = numbered(USER, number)
    if (known.has(login) || (await canAdd(users, login))) return login
  }
}

/** False when an account that was deleted had the login, which stays reserved. */
async function canAdd(users: Operator['users'], login: string): Promise<boolean> {
  try {
    await users.add(login, { name: 'Demo partner', kind: 'technical', capabilities: ['recordings.access'] })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'login_taken') return false
    throw error
  }
}

/** The first available of name, name-2, name-3, … */
function firstAvailable(name: string, isAvailable: (name: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = numbered(name, number)
    if (isAvailable(candidate)) return candidate
  }
}
