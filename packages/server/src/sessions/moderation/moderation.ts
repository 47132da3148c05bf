import {
  type CommandBody,
  PERSON_PERMISSIONS_MAX,
  type PermittedSource,
  type PersonPermissions,
  type Publication,
} from '@lectern/protocol/control'
import type { CommandContext } from '../command.ts'
import { canModerate, findMissing } from '../policy.ts'
import type { ConnectedUser, Moderation, MutableSource, PersonException, SessionParts } from '../ports.ts'
import { presentPermissions } from '../present.ts'
import { assertOrRefuse } from '../refusals.ts'
import { emit, PLATFORM, type Session, saveState } from '../session.ts'

/** Permissions of everybody and of single people, and the spotlight (rules MOD-1 to MOD-7). */

export async function setPermissions(
  context: CommandContext,
  body: CommandBody<'conference.set_permissions'>,
): Promise<void> {
  const { parts, session, self } = context
  assertOrRefuse(canModerate(self), 'not_moderator')
  const before = session.moderation.permissions
  if (isUnchanged(before, body)) return
  const permissions = { ...before, ...body }
  await change(context, { permissions })
  emit(parts, session, 'conference.permissions', { permissions })
  muteForbidden(context)
}

/** Sets the permissions of a person, who need not be inside at the moment. */
export async function setPersonPermissions(
  context: CommandContext,
  { user_id, ...changes }: CommandBody<'participant.set_permissions'>,
): Promise<void> {
  const { parts, session, self } = context
  assertOrRefuse(canModerate(self), 'not_moderator')
  const { exceptions } = session.moderation
  const before = exceptions.find(each => String(each.userId) === user_id)
  const userId = before?.userId ?? findUserId(session, user_id)
  assertOrRefuse(userId, 'no_such_participant')
  if (isUnchanged({ ...before }, changes)) return
  const exception = withChanges(before ?? { userId }, changes)
  const others = exceptions.filter(each => each.userId !== userId)
  const changed = Object.keys(exception).length === 1 ? others : [...others, exception]
  assertOrRefuse(changed.length <= PERSON_PERMISSIONS_MAX, 'too_many_person_permissions')
  await change(context, { exceptions: changed })
  emit(parts, session, 'participant.permissions', { person: presentPermissions(exception) })
  muteForbidden(context)
}

/** Shows a person large for everybody. The person keeps the spotlight over a reload. */
export async function setSpotlight(
  context: CommandContext,
  { user_id }: CommandBody<'conference.set_spotlight'>,
): Promise<void> {
  const { parts, session, self } = context
  assertOrRefuse(canModerate(self), 'not_moderator')
  const spotlight = user_id === null ? null : findUserId(session, user_id)
  assertOrRefuse(spotlight !== undefined, 'no_such_participant')
  if (spotlight === session.moderation.spotlight) return
  await change(context, { spotlight })
  emit(parts, session, 'conference.spotlight', { user_id })
}

const WATCH_ONLY = { microphone: false, camera: false, screen: false, chat: false }

/**
 * An observer sends nothing unless a moderator permits it later. Whose link makes them none any more, because the partner has
 * changed the role, may do what everybody may, and what a moderator has permitted.
 */
export async function applyObserverRole(
  parts: SessionParts,
  session: Session,
  { userId, linkRole, isObserver = false }: Pick<ConnectedUser, 'userId' | 'linkRole' | 'isObserver'>,
): Promise<void> {
  const { exceptions } = session.moderation
  const before = exceptions.find(each => each.userId === userId) ?? { userId }
  if (linkRole === null || isObserver === (before.isObserver === true)) return
  const exception = isObserver
    ? { ...WATCH_ONLY, ...before, isObserver }
    : (Object.fromEntries(
        Object.entries(before).filter(([name, value]) => name !== 'isObserver' && value !== false),
      ) as unknown as PersonException)
  const others = exceptions.filter(each => each.userId !== userId)
  const isEmpty = Object.keys(exception).length === 1
  assertOrRefuse(isEmpty || others.length < PERSON_PERMISSIONS_MAX, 'too_many_person_permissions')
  const moderation = { ...session.moderation, exceptions: isEmpty ? others : [...others, exception] }
  await saveState(parts, session, { moderation })
  session.moderation = moderation
  emit(parts, session, 'participant.permissions', { person: presentPermissions(exception) })
  for (const publication of [...session.publications.values()]) muteIfForbidden(parts, session, publication)
}

/** Stops a publication that its sender has no permission for, however it came about, and tells the sender (rule MOD-4). */
export function muteIfForbidden(
  parts: Pick<SessionParts, 'media' | 'events'>,
  session: Session,
  { participant_id, source: published, paused }: Publication,
  by_participant_id = PLATFORM,
): void {
  const participant = session.participants.get(participant_id)
  const missing = participant && !paused && findMissing(session, participant, published)
  if (!missing) return
  const source = MUTABLE[missing]
  parts.media.mute(session.id, participant_id, source)
  emit(parts, session, 'participant.muted', { participant_id, source, by_participant_id })
}

function muteForbidden({ parts, session, self }: CommandContext): void {
  for (const publication of [...session.publications.values()])
    muteIfForbidden(parts, session, publication, self.id)
}

async function change({ parts, session }: CommandContext, changes: Partial<Moderation>): Promise<void> {
  const moderation = { ...session.moderation, ...changes }
  await saveState(parts, session, { moderation })
  session.moderation = moderation
}

const findUserId = ({ participants }: Session, userId: string) =>
  [...participants.values()].find(each => String(each.userId) === userId)?.userId

/** Null stands for a field that is absent. */
const isUnchanged = (before: Record<string, unknown>, changes: Record<string, boolean | null>) =>
  Object.entries(changes).every(([name, value]) => (before[name] ?? null) === value)

function withChanges(
  before: PersonException,
  changes: Partial<Record<keyof Omit<PersonPermissions, 'user_id'>, boolean | null>>,
): PersonException {
  const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged) as unknown as PersonException
}

const MUTABLE: Record<PermittedSource, MutableSource> = {
  microphone: 'audio',
  camera: 'video',
  screen: 'screen',
}
