import type { Here } from './here.ts'
import { leave } from './membership.ts'
import { canEnd } from './policy.ts'
import type { ConferenceParts, EndReason } from './ports.ts'
import { demand } from './refusals.ts'
import { emit, type Session, streamOf } from './session.ts'

/** Ends the session for everybody. When that fails it is tried again; the first reason stays. */
export async function end(parts: ConferenceParts, session: Session, reason: EndReason): Promise<void> {
  session.ending ??= reason
  await parts.sessions.end(session.id, parts.clock(), session.ending)
  session.isOver = true
  session.participants.clear()
  session.publications.clear()
  emit(parts, session, 'session.ended', { reason: session.ending })
  parts.events.close(streamOf(session))
  parts.media.closeRoom(session.id)
}

export async function endBySelf({ parts, session, self }: Here): Promise<void> {
  demand(canEnd(self), 'not_moderator')
  await end(parts, session, 'ended')
}

/** Ends what the grace time was for: lost participants go, and a session without anybody ends. */
export async function sweep(parts: ConferenceParts, session: Session): Promise<void> {
  if (!isDue(parts, session)) return
  if (session.ending) return end(parts, session, session.ending)
  const isPast = deadline(parts)
  for (const participant of [...session.participants.values()]) {
    const { presence } = participant
    if (presence.is === 'away' && isPast(presence.sinceMs)) leave(parts, session, participant, 'lost')
  }
  if (session.emptySinceMs !== null && isPast(session.emptySinceMs)) await end(parts, session, 'empty')
}

/** Quick, for it is asked of every session every second. */
export function isDue(parts: ConferenceParts, session: Session): boolean {
  if (session.isOver) return false
  if (session.ending) return true
  const isPast = deadline(parts)
  if (session.emptySinceMs !== null && isPast(session.emptySinceMs)) return true
  for (const { presence } of session.participants.values())
    if (presence.is === 'away' && isPast(presence.sinceMs)) return true
  return false
}

const deadline =
  ({ clock, graceMs }: ConferenceParts) =>
  (sinceMs: number) =>
    clock() - sinceMs >= graceMs
