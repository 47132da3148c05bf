import { readFileSync } from 'node:fs'
import { SCOPES } from '@lectern/protocol'
import type { Operator } from '@lectern/server/operator'
import { ApiError, requestToken } from '../api.ts'
import { writeWhole } from './folder.ts'
import { numbered } from './numbered.ts'

/** As in demo-account.json. The store has the secret as a hash only, so this file is its one home. */
export interface DemoAccount {
  service_account: string
  client_secret: string
  url: string
}

const USER = 'demo-partner'
const ACCOUNT = 'demo'

/** The demo account with a token of its own: the one that the file tells of if that still works, else a new one. */
export async function openDemoAccount(
  file: string,
  url: string,
  operator: Operator,
): Promise<{ account: DemoAccount; token: string }> {
  const kept = read(file)
  const token = kept && (await tokenOf({ ...kept, url }))
  const account = kept && token ? { ...kept, url } : { ...(await addAccount(operator)), url }
  writeWhole(file, `${JSON.stringify(account, null, 2)}\n`)
  return {
    account,
    token: token ?? (await requestToken(url, account.service_account, account.client_secret)),
  }
}

/** Null when there is no such file, or not a whole one. */
function read(file: string): DemoAccount | null {
  try {
    const { service_account, client_secret, url } = JSON.parse(readFileSync(file, 'utf8'))
    return service_account && client_secret ? { service_account, client_secret, url } : null
  } catch {
    return null
  }
}

/** Null when the account is gone or disabled, or when another JwtSecret hashed its secret. */
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
  const name = firstOf(ACCOUNT, each => !taken.has(each))
  const { account, clientSecret } = await serviceAccounts.add(name, login, [...SCOPES])
  return { service_account: account.name, client_secret: clientSecret }
}

async function findOrAddUser(users: Operator['users']): Promise<string> {
  const all = new Map((await users.list()).map(user => [user.login, user]))
  const isDeleted = (login: string) => (all.get(login)?.deletedAt ?? null) !== null // it stays taken
  const login = firstOf(USER, each => !isDeleted(each))
  if (!all.has(login))
    await users.add(login, { name: 'Demo partner', kind: 'technical', capabilities: ['recordings.access'] })
  return login
}

/** The name itself, or else name-2, name-3, …: the first that will do. */
function firstOf(name: string, willDo: (name: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = numbered(name, number)
    if (willDo(candidate)) return candidate
  }
}
