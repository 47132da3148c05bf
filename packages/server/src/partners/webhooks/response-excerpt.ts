import type { Delivery, WebhookSubscription } from '../ports.ts'
import { firstOccurrences } from './first-occurrences.ts'

const EXCERPT_MAX_CHARACTERS = 500
/** The length that is searched for secrets, so that none is cut in half before it is found. */
const SEARCHED_CHARACTERS = 1_000
const MASK = '***'
/** Tokens, signatures, keys and ids; words of that length have no digits. */
const LONG_RUN = /[\w+/=~-]{20,}/g
/** Text that repeats so much of the delivery is a quotation of it. */
const QUOTED_CHARACTERS = 16
const SECRET_MIN_CHARACTERS = 4

interface Context {
  webhook: Pick<WebhookSubscription, 'url' | 'secret' | 'previous'>
  delivery: Pick<Delivery, 'body'>
}

/**
 * The beginning of a receiver's response as one line of at most 500 characters, for administrators; null if it is empty or
 * no text. Receivers quote what they got: the secret, parts of the url, everything like a token, and passages of the
 * delivery, which is confidential to the partner, are replaced by `***`.
 */
export async function excerptOf(response: Buffer | undefined, context: Context): Promise<string | null> {
  const text = response?.toString('utf8') ?? ''
  if (text.includes('\0')) return null
  const line = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, SEARCHED_CHARACTERS)
  const withoutSecrets = maskSecrets(line, context.webhook)
  const masked = (await maskQuotations(withoutSecrets, context.delivery.body))
    .replace(LONG_RUN, run => (/\d/.test(run) ? MASK : run))
    .replace(/(\*{3}\s*)+/g, `${MASK} `)
    .trim()
  const characters = Array.from(masked)
  if (characters.length <= EXCERPT_MAX_CHARACTERS) return masked || null
  return `${characters.slice(0, EXCERPT_MAX_CHARACTERS - 1).join('')}…`
}

/** The longest first, because short ones are parts of them. */
function maskSecrets(line: string, { url, secret, previous }: Context['webhook']): string {
  const { href, pathname, search, searchParams } = new URL(url)
  const secrets = previous ? [secret, previous.secret] : [secret]
  const parts = [...secrets, url, href, pathname + search, search, pathname, ...searchParams.values()]
  return [...parts, ...parts.map(decode)]
    .filter(part => part.length >= SECRET_MIN_CHARACTERS)
    .sort((a, b) => b.length - a.length)
    .reduce((masked, part) => masked.replaceAll(part, MASK), line)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Steps of half a quotation are enough to find each. */
async function maskQuotations(line: string, body: string): Promise<string> {
  const starts: number[] = []
  for (let at = 0; at + QUOTED_CHARACTERS <= line.length; at += QUOTED_CHARACTERS / 2) starts.push(at)
  const passageAt = (start: number) => line.slice(start, start + QUOTED_CHARACTERS)
  const found = await firstOccurrences(starts.map(passageAt), QUOTED_CHARACTERS, body)
  let masked = ''
  let end = 0
  for (const start of starts) {
    const at = found.get(passageAt(start))
    if (at === undefined) continue
    let [before, length] = [0, QUOTED_CHARACTERS]
    while (start - before > end && at > before && line[start - before - 1] === body[at - before - 1]) before++
    while (start + length < line.length && line[start + length] === body[at + length]) length++
    if (start - before >= end) masked += line.slice(end, start - before) + MASK
    end = Math.max(end, start + length)
  }
  return masked + line.slice(end)
}
