import type { CommandContext } from './command-context.ts'
import { leave } from './membership.ts'
import { canEnd } from './policy.ts'
import type { EndReason, SessionDependencies } from './ports.ts'
import { assertOrRefuse } from './refusals.ts'
import { emit, type Session, streamOf } from './session.ts'

/** Ends the session for everybody. When that fails it is tried again; the first reason stays. */
export async function end(deps: SessionDependencies, session: Session, reason: EndReason): Promise<void> {
  session.ending ??= reason
  await deps.sessions.end(session.id, deps.clock(), session.ending)
  session.isOver = true
  session.participants.clear()
  session.publications.clear()
  emit(deps, session, 'session.ended', { reason: session.ending })
  deps.events.close(streamOf(session))
  deps.media.closeRoom(session.id)
}

export async function endBySelf({ deps, session, self }: CommandContext): Promise<void> {
  assertOrRefuse(canEnd(self), 'not_moderator')
  await end(deps, session, 'ended')
}

/** Ends what the grace time was for: lost participants go, and a session without anybody ends. */
export async function sweep(deps: SessionDependencies, session: Session): Promise<void> {
  if (!isDue(deps, session)) return
  if (session.ending) return end(deps, session, session.ending)
  const isPast = deadline(deps)
  for (const participant of [...session.participants.values()]) {
    const { presence } = participant
    if (presence.is === 'away' && isPast(presence.sinceMs)) leave(deps, session, participant, 'lost')
  }
  if (session.emptySinceMs !== null && isPast(session.emptySinceMs)) await end(deps, session, 'empty')
}

/** Quick, for it is asked of every session every second. */
export function isDue(deps: SessionDependencies, session: Session): boolean {
  if (session.isOver) return false
  if (session.ending) return true
  const isPast = deadline(deps)
  if (session.emptySinceMs !== null && isPast(session.emptySinceMs)) return true
  for (const { presence } of session.participants.values())
    if (presence.is === 'away' && isPast(presence.sinceMs)) return true
  return false
}

const deadline =
  ({ clock, graceMs }: SessionDependencies) =>
  (sinceMs: number) =>
    clock() - sinceMs >= graceMs
