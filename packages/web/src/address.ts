/** The page that the URL selects. */
export type Address =
  | { is: 'start' }
  | { is: 'link'; token: string } // /j/<token>: a signed link, whatever its token looks like
  | { is: 'conference'; tag: string } // /conferences/<tag>: the plain room link
  | { is: 'not-found' }

export function readAddress(path: string): Address {
  if (path === '/') return { is: 'start' }
  // Never decoded: a valid token needs no escapes, so an escape means a damaged link.
  const token = /^\/j(?:\/(.*?)\/?)?$/.exec(path)
  if (token) return { is: 'link', token: token[1] ?? '' }

  const tag = decode(/^\/conferences\/([^/]+)\/?$/.exec(path)?.[1])
  return tag ? { is: 'conference', tag } : { is: 'not-found' }
}

function decode(part: string | undefined): string | undefined {
  try {
    return part && decodeURIComponent(part)
  } catch {
    return undefined
  }
}
