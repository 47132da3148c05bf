import { isPostgresUrl } from '../../platform/config/database.ts'
import type { Config } from '../../platform/config/index.ts'
import { keys } from '../../platform/config/keys.ts'
import type { Key } from '../../platform/config/values.ts'

/** Removes what must not leave the installation from a text. */
export type Scrub = (text: string) => string

const SECRET_MIN_CHARACTERS = 4
const HIDDEN = '***'

/** Patterns of secrets, links and data of persons, wherever they are. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  [/\/\/[^\s/@"']+@/g, `//${HIDDEN}@`],
  [/(\bhttps?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, `$1?${HIDDEN}`],
  [/[^\s"'<>@:/=]+@[^\s"'<>@/]+\.[a-z]{2,}/gi, HIDDEN],
  // Tags of rooms, which are their plain links.
  [/\b[a-z0-9]{4}-[a-z0-9]{5}-[a-z0-9]{4}\b/g, HIDDEN],
  // Tokens: longer than any id.
  [/[A-Za-z0-9_-]{40,}/g, HIDDEN],
]

/** Hides these secrets, and whatever looks like one. */
export function scrubber(secrets: readonly string[]): Scrub {
  const known = [...new Set(secrets)]
    .filter(secret => secret.length >= SECRET_MIN_CHARACTERS)
    .sort((a, b) => b.length - a.length)
  return text => {
    const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text)
    return PATTERNS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), withoutKnown)
  }
}

type Sections = Record<string, Record<string, unknown>>
const secretKeys = Object.entries(keys as Record<string, Record<string, Key<unknown>>>).flatMap(
  ([section, sectionKeys]) =>
    Object.entries(sectionKeys).flatMap(([name, { isSecret }]) => (isSecret ? [{ section, name }] : [])),
)

/** The settings in use; of secrets only whether they are set. */
export function redactConfig(config: Config): Sections {
  const copy = structuredClone(config) as unknown as Sections
  for (const { section, name } of secretKeys) {
    const values = copy[section] as Record<string, unknown>
    const value = values[name]
    const isSet = Array.isArray(value) ? value.length > 0 : value !== '' && value !== null
    values[name] = isSet ? '(set)' : '(not set)'
  }
  return copy
}

/** All secrets of a configuration, and the passwords within addresses. */
export function secretsOf(config: Config): string[] {
  const sections = config as unknown as Sections
  return secretKeys.flatMap(({ section, name }) =>
    textsIn(sections[section]?.[name])
      // The path of an SQLite file is an address of no server.
      .filter(text => section !== 'Db' || isPostgresUrl(text))
      .flatMap(withPassword),
  )
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  // The rest of the address of a NATS server is public.
  if (typeof value === 'object' && value !== null && 'label' in value) {
    const { user, password, token } = value as Record<string, unknown>
    return [user, password, token].flatMap(textsIn)
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function withPassword(text: string): string[] {
  if (!/^[a-z]+:\/\//i.test(text) || !URL.canParse(text)) return [text]
  const { password, username } = new URL(text)
  return [text, ...[password, username].flatMap(each => [each, decode(each)])]
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
