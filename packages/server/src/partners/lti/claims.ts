import { lazyCheck, type PersonRole } from '@lectern/protocol'
import { type TSchema, Type } from 'typebox'

const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim'
const VERSION = `${CLAIM}/version` as const
const DEPLOYMENT = `${CLAIM}/deployment_id` as const
const MESSAGE_TYPE = `${CLAIM}/message_type` as const
const ROLES = `${CLAIM}/roles` as const
const RESOURCE_LINK = `${CLAIM}/resource_link` as const
const CONTEXT = `${CLAIM}/context` as const
const GRADES = 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint'
const MEMBERS = 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice'
const DEEP_LINKING = 'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings'

export const SCORE_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/score'
export const MEMBERS_SCOPE = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly'

/** Databases store no NUL. */
const STORABLE = { pattern: '^[^\\u0000]*$' }
const Id = Type.String({ minLength: 1, maxLength: 255 })
/** Canvas sends null for what it does not have. */
export const maybe = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const Text = maybe(Type.String())
const Stored = Type.String(STORABLE)

/** The id of a user: `sub` has up to 255 characters (OpenID Connect Core 1.0, section 2). */
const UserId = Type.String({ minLength: 1, maxLength: 255, ...STORABLE })
const TITLE_MAX = 500

/** Whether a person can have this id here. */
export const isUserId = (id: unknown): id is string => userId.Check(id)
const userId = lazyCheck(UserId)

/** The claims of the id token of a launch that are used (LTI 1.3 and the services of LTI Advantage). */
const claims = lazyCheck(
  Type.Object({
    sub: UserId,
    name: Text,
    given_name: Text,
    family_name: Text,
    [VERSION]: Type.Literal('1.3.0'),
    [DEPLOYMENT]: Id,
    [MESSAGE_TYPE]: Type.String(),
    [ROLES]: maybe(Type.Array(Type.String())),
    [RESOURCE_LINK]: maybe(Type.Object({ id: Id, title: Text })),
    [CONTEXT]: maybe(Type.Object({ title: Text })),
    [GRADES]: maybe(Type.Object({ scope: maybe(Type.Array(Type.String())), lineitem: maybe(Stored) })),
    [MEMBERS]: maybe(Type.Object({ context_memberships_url: Text })),
    [DEEP_LINKING]: maybe(Type.Object({ deep_link_return_url: Type.String(), data: Text })),
  }),
)

/** The people and the link of a launch. */
export interface Launch {
  user: string
  displayName: string
  role: PersonRole
  deployment: string
  title: string
  target:
    | { is: 'resource'; id: string; lineItem: string | null; membersUrl: string | null }
    | { is: 'deep-linking'; returnUrl: string; data: string | undefined }
}

/** Null if a claim is missing or malformed. */
export function readLaunch(payload: unknown): Launch | null {
  if (!claims.Check(payload)) return null
  const link = payload[RESOURCE_LINK]
  const dialogue = payload[DEEP_LINKING]
  const launch = {
    user: payload.sub,
    displayName: nameOf(payload),
    role: roleOf(payload[ROLES] ?? []),
    deployment: payload[DEPLOYMENT],
    title: titleOf(link?.title ?? '') || titleOf(payload[CONTEXT]?.title ?? ''),
  }
  if (payload[MESSAGE_TYPE] === 'LtiResourceLinkRequest' && link) {
    const grades = payload[GRADES]
    const lineItem = grades?.scope?.includes(SCORE_SCOPE) ? (grades.lineitem ?? null) : null
    const membersUrl = payload[MEMBERS]?.context_memberships_url ?? null
    return { ...launch, target: { is: 'resource', id: link.id, lineItem, membersUrl } }
  }
  if (payload[MESSAGE_TYPE] === 'LtiDeepLinkingRequest' && dialogue) {
    const { deep_link_return_url: returnUrl, data } = dialogue
    return { ...launch, target: { is: 'deep-linking', returnUrl, data: data ?? undefined } }
  }
  return null
}

/** As rooms may have it; a character is never divided. */
const titleOf = (text: string): string =>
  Array.from(text.toWellFormed().replaceAll('\0', '').trim()).slice(0, TITLE_MAX).join('')

/** The name of a person in a launch, or of a member of a course. */
export const nameOf = (person: {
  name?: string | null | undefined
  given_name?: string | null | undefined
  family_name?: string | null | undefined
}): string => person.name || [person.given_name, person.family_name].filter(Boolean).join(' ')

/** Roles in the course count, not those at the school; but administrators without one help. */
export function roleOf(roles: readonly string[]): PersonRole {
  const has = (pattern: RegExp) => roles.some(role => pattern.test(role))
  // Assistants are mostly sent as instructors, too.
  if (has(/Instructor#(TeachingAssistant|Grader)/)) return 'assistant'
  // A role in full, one of its sub-roles, or its short name (LTI 1.3, section A.2).
  const hasInCourse = (role: string) => has(new RegExp(`membership(#(${role})$|/(${role})#)|^(${role})$`))
  if (hasInCourse('Instructor|ContentDeveloper|Administrator')) return 'teacher'
  if (hasInCourse('Mentor')) return 'observer'
  if (hasInCourse('\\w+')) return 'student'
  return has(/(system|institution)\/person#(SysAdmin|Administrator)$/) ? 'teacher' : 'student'
}
