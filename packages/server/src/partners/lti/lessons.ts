import { createHash, randomUUID } from 'node:crypto'
import { cleanDisplayName, DISPLAY_NAME_MAX, ensure, ROOM_PEOPLE_MAX } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { Room } from '../ports.ts'
import type { GradeStore } from '../stores/lti/grades.ts'
import type { Platform } from '../stores/lti/platforms.ts'
import type { People } from '../v2/people/people.ts'
import type { HostedRooms } from '../v2/rooms/hosted-rooms.ts'
import type { Launch } from './claims.ts'
import { assertAddress, type FetchPlatform } from './http.ts'
import { fetchMembers, type Member } from './members.ts'
import { externalIdOf, metadataOf } from './people.ts'
import type { PlatformTokens } from './platform-tokens.ts'
import type { ToolKey } from './tool-key.ts'

interface LessonsParts {
  rooms: HostedRooms
  people: People
  grades: Pick<GradeStore, 'saveResource'>
  tokens: PlatformTokens
  key: ToolKey
  fetch: FetchPlatform
  allowInsecure: boolean
  publicUrl: () => string
  log: Pick<Logger, 'warn'>
}

/** The destination of the browser after a launch: into the room, or back with a form. */
export type Destination = { location: string } | { action: string; fields: Record<string, string> }

type Resource = Extract<Launch['target'], { is: 'resource' }>
type DeepLinking = Extract<Launch['target'], { is: 'deep-linking' }>

/** Opens the rooms of platforms: one for each link in a course, owned by the technical user of the platform. */
export class Lessons {
  readonly #parts: LessonsParts

  constructor(parts: LessonsParts) {
    this.#parts = parts
  }

  /** `title` is what a teacher has typed who adds a lesson. Throws `permission_denied` where others do that. */
  async open(platform: Platform, launch: Launch, title: string): Promise<Destination> {
    return launch.target.is === 'resource'
      ? this.#enter(platform, launch, launch.target)
      : this.#addLesson(platform, launch, launch.target, title)
  }

  async #enter(platform: Platform, launch: Launch, target: Resource): Promise<Destination> {
    const { rooms, people, grades } = this.#parts
    const roomId = roomIdOf(platform, launch.deployment, target.id)
    // A title of the platform is changed there.
    const settings = launch.title ? { title: launch.title } : {}
    const { room } = await rooms.put(platform.clientId, roomId, settings)
    await grades.saveResource(room.tag, platform.id, target.lineItem)
    const person = await people.put(room, externalIdOf(platform, launch.user), {
      ...named(launch.displayName),
      ...metadataOf(launch.user),
      role: launch.role,
    })
    if (target.membersUrl !== null && (launch.role === 'teacher' || launch.role === 'assistant'))
      void this.#addMembers(platform, room, launch.user, target.membersUrl)
    return { location: person.join_url }
  }

  /**
   * So that the absent are known, too: not those of a course that is larger than a room, whose places are for people who
   * come. Never rejects: a launch does not wait for it.
   */
  async #addMembers(platform: Platform, room: Room, teacher: string, url: string): Promise<void> {
    const { people, tokens, fetch, log } = this.#parts
    try {
      const members = await fetchMembers(platform, url, { tokens, fetch })
      const others = members.filter(({ user }) => user !== teacher)
      if (others.length >= ROOM_PEOPLE_MAX)
        return log.warn(
          { platform: platform.id, members: members.length },
          'a course is larger than a room: its members are added when they come, and the absent are not reported',
        )
      for (const { user, displayName, role } of others satisfies Member[])
        await people.put(room, externalIdOf(platform, user), {
          ...named(displayName),
          ...metadataOf(user),
          role,
        })
    } catch (error) {
      log.warn(
        { err: error, platform: platform.id },
        'the members of a course could not be read: they are added when they come',
      )
    }
  }

  /** The answer to a teacher's choice (LTI Deep Linking 2.0). */
  async #addLesson(
    platform: Platform,
    launch: Launch,
    { returnUrl, data }: DeepLinking,
    title: string,
  ): Promise<Destination> {
    const { key, publicUrl, allowInsecure } = this.#parts
    ensure(launch.role === 'teacher' || launch.role === 'assistant', 'permission_denied')
    assertAddress(returnUrl, allowInsecure)
    const claim = 'https://purl.imsglobal.org/spec/lti/claim'
    const item = {
      type: 'ltiResourceLink',
      title,
      url: `${publicUrl()}/lti/launch`,
      lineItem: { scoreMaximum: 100, label: title, tag: 'attendance' },
    }
    const token = await key.sign(
      {
        nonce: randomUUID(),
        [`${claim}/deployment_id`]: launch.deployment,
        [`${claim}/message_type`]: 'LtiDeepLinkingResponse',
        [`${claim}/version`]: '1.3.0',
        'https://purl.imsglobal.org/spec/lti-dl/claim/content_items': [item],
        ...(data !== undefined && { 'https://purl.imsglobal.org/spec/lti-dl/claim/data': data }),
      },
      { issuer: platform.ltiClientId, audience: platform.issuer, id: randomUUID() },
    )
    return { action: returnUrl, fields: { JWT: token } }
  }
}

/** The `external_id` of the room of a link in a course. */
const roomIdOf = ({ id }: Platform, deployment: string, link: string): string =>
  `lti-${createHash('sha256')
    .update(JSON.stringify([id, deployment, link]))
    .digest('hex')
    .slice(0, 32)}`

/** A platform that sends no name does not remove one that another of its services has sent. */
function named(name: string): { display_name?: string } {
  const clean = cleanDisplayName(name)
  return clean === '' ? {} : { display_name: Array.from(clean).slice(0, DISPLAY_NAME_MAX).join('') }
}
