/** SSO_CALLBACK_PATH of the protocol, whose schemas the page of a link does not load. */
const SSO_CALLBACK_PATH = '/sign-in/callback'

/** The pages of a signed-in user, with the greatest number of parts that may follow the name in the path. */
const HOME_PAGES = {
  conversations: 1, // the chat_id
  contacts: 0,
  calls: 1, // the call_id
  meetings: 0,
  recordings: 1,
  settings: 0,
  integrations: 4, // a service account, a section, and things in it
  admin: 4, // administration has its own pages below
} as const
export type HomePageName = keyof typeof HOME_PAGES

/** A page of a signed-in user. `parts`: what follows its name in the path, decoded. */
export interface HomeAddress {
  is: 'home'
  page: HomePageName
  parts: readonly string[]
}

/** The page that the URL selects. */
export type Address =
  | HomeAddress // `/` is the page of the conversations; without an account all of them show the start page
  | { is: 'link'; token: string } // /j/<token>: a signed link, maybe without a token
  | { is: 'invite'; token: string } // /invite/<token>: sets the password of an account
  | { is: 'conference'; tag: string } // /conferences/<tag>: the plain room link
  | { is: 'sso-return' } // /sign-in/callback: where the identity provider returns to
  | { is: 'not-found' }

export function readAddress(path: string): Address {
  if (path === '/') return { is: 'home', page: 'conversations', parts: [] }
  if (path === SSO_CALLBACK_PATH) return { is: 'sso-return' }
  const link = /^\/j(?:\/(.*))?$/.exec(path)
  if (link) return { is: 'link', token: tokenIn(link[1] ?? '') }

  const invitation = tokenIn(/^\/invite\/([^/]+)\/?$/.exec(path)?.[1] ?? '')
  if (invitation !== '') return { is: 'invite', token: invitation }

  const tag = tagIn(decode(/^\/conferences\/([^/]+)\/?$/.exec(path)?.[1]) ?? '')
  return tag ? { is: 'conference', tag } : (readHomeAddress(path) ?? { is: 'not-found' })
}

/**
 * The first characters that a token can consist of. What programs and people copy with a link is no part of it: brackets,
 * quotation marks, punctuation, and their escapes, which a token never needs.
 */
const tokenIn = (part: string): string =>
  /^(?:%[\da-f]{2}|[^\w-])*([\w-]*)/i.exec(part.replace(INVISIBLE, ''))?.[1] ?? ''

/** Characters at which programs let a long link break: soft hyphens, spaces without width, joiners, byte order marks. */
const INVISIBLE = /%C2%AD|%E2%80%8[B-F]|%E2%81%A0|%EF%BB%BF|[\xad\u200b-\u200f\u2060\ufeff]/gi

/**
 * The tag in a part of an address, without what was copied or typed around it: a tag begins and ends with a letter or digit,
 * of any script. People type it in capitals, or with a keyboard for Chinese or Japanese, and programs make a dash of a hyphen.
 */
const tagIn = (part: string): string =>
  part
    .normalize('NFKC')
    .replace(/[\p{Cf}\xad]/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .toLowerCase()

function readHomeAddress(path: string): HomeAddress | null {
  const [page = '', ...encoded] = path.slice(1).replace(/\/$/, '').split('/')
  if (!isHomePage(page) || encoded.length > HOME_PAGES[page]) return null
  const parts = encoded.flatMap(part => decode(part) || [])
  return parts.length === encoded.length ? { is: 'home', page, parts } : null
}

const isHomePage = (name: string): name is HomePageName => Object.hasOwn(HOME_PAGES, name)

/** The path of a page. The opposite of readAddress. */
export function homePath(page: HomePageName, ...parts: string[]): string {
  if (page === 'conversations' && parts.length === 0) return '/'
  // Ids of conversations contain colons, which a path need not escape (RFC 3986, section 3.3).
  return ['', page, ...parts.map(part => encodeURIComponent(part).replaceAll('%3A', ':'))].join('/')
}

function decode(part: string | undefined): string | undefined {
  try {
    return part && decodeURIComponent(part)
  } catch {
    return undefined
  }
}
