import { randomInt } from 'node:crypto'
import type { ProviderProfile } from './ports.ts'

const LOGIN_MAX = 48
/** Numbered attempts; afterwards numbers are random. */
const NUMBERED = 20
const ATTEMPTS = 30

/** Logins that the server generates itself (guests, persons of links, embedded workers). */
const RESERVED = /^(?:guest-|person-)|-embedded$/

/**
 * Logins for a new account, best first: the user name at the provider, else the part of the email address before the @,
 * else the name; without characters that logins do not have, and with a number if it is taken.
 */
export function* loginCandidates({ username, email, name }: ProviderProfile): Generator<string> {
  const base = [username, email.split('@')[0] ?? '', name].map(normalize).find(each => each !== '') ?? 'user'
  if (!RESERVED.test(base)) yield base
  const stem = RESERVED.test(base) ? `user-${base.replace(/-embedded$/, '')}` : base
  for (let attempt = 2; attempt < ATTEMPTS; attempt++)
    yield `${stem}-${attempt < NUMBERED ? attempt : randomInt(1_000, 1_000_000_000)}`
}

/** The login that a user name at the provider stands for; empty if none of its characters fit. */
const normalize = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._@+-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, LOGIN_MAX)
    .replace(/-+$/, '')

/** Beyond ASCII, other letters have these as their lower case, such as the KELVIN SIGN. */
const LOGIN_CHARACTERS = /^[A-Za-z0-9._@+-]+$/

/** Whether the provider's user name is this login exactly, apart from upper and lower case in ASCII. */
export const isSameLogin = (username: string, login: string): boolean =>
  LOGIN_CHARACTERS.test(username) && username.toLowerCase() === login && !RESERVED.test(login)
