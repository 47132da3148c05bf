import { lazyCheck, type PersonRole, ROOM_PEOPLE_MAX } from '@lectern/protocol'
import { Type } from 'typebox'
import type { Platform } from '../stores/lti/platforms.ts'
import { isUserId, MEMBERS_SCOPE, maybe, nameOf, roleOf } from './claims.ts'
import { type FetchPlatform, jsonOf } from './http.ts'
import type { PlatformTokens } from './platform-tokens.ts'

export interface Member {
  user: string
  displayName: string
  role: PersonRole
}

const Text = maybe(Type.String())
const container = lazyCheck(
  Type.Object({
    members: Type.Array(
      Type.Object({
        user_id: Type.Optional(Type.Unknown()),
        status: Text,
        name: Text,
        given_name: Text,
        family_name: Text,
        roles: maybe(Type.Array(Type.String())),
      }),
    ),
  }),
)
const MAX_PAGES = 100

/**
 * The active members of a course (LTI Names and Role Provisioning Services 2.0): all, or more than a room takes. Throws when
 * the platform does not answer.
 */
export async function fetchMembers(
  platform: Platform,
  url: string,
  { tokens, fetch }: { tokens: PlatformTokens; fetch: FetchPlatform },
): Promise<Member[]> {
  const members: Member[] = []
  let next: string | undefined = url
  for (let page = 0; next !== undefined && members.length <= ROOM_PEOPLE_MAX; page++) {
    if (page === MAX_PAGES) throw new Error('the list of the members of the course has no end')
    const headers = {
      authorization: `Bearer ${await tokens.get(platform, MEMBERS_SCOPE)}`,
      accept: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
    }
    const answer = await fetch(next, { headers })
    if (answer.status === 401) tokens.forget(platform, MEMBERS_SCOPE)
    const found = jsonOf(answer)
    if (!container.Check(found)) throw new Error('the members of the course are malformed')
    // One who could not launch either keeps nobody else out of the list.
    for (const { user_id, status, roles, ...names } of found.members)
      if ((status ?? 'Active') === 'Active' && isUserId(user_id))
        members.push({ user: user_id, displayName: nameOf(names), role: roleOf(roles ?? []) })
    next = nextPage(answer.headers.get('link') ?? '', next)
  }
  return members
}

/** Other origins would get the token. */
function nextPage(link: string, current: string): string | undefined {
  const address = /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1]
  if (address === undefined || !URL.canParse(address, current)) return undefined
  const url = new URL(address, current)
  return url.origin === new URL(current).origin ? url.href : undefined
}
