import type { CommandContext } from '../command.ts'
import { isClosed } from '../lifecycle/lifecycle.ts'
import { canRecord } from '../policy.ts'
import type { SessionParts } from '../ports.ts'
import { assertOrRefuse } from '../refusals.ts'
import { emit, type Session, toOwnSession } from '../session.ts'

/** Manual recording, in ordinary conferences only: partners' are recorded automatically. */
export async function startRecording(context: CommandContext): Promise<void> {
  await assertCanRecord(context)
  const { parts, session } = context
  await parts.jobs.startRecording(toOwnSession(session))
}

export async function stopRecording(context: CommandContext): Promise<void> {
  await assertCanRecord(context)
  await context.parts.jobs.stopRecording(context.session.id)
}

async function assertCanRecord({ parts, session, self }: CommandContext): Promise<void> {
  assertOrRefuse(canRecord(self), 'not_moderator')
  const conference = await parts.directory.find(session.tag)
  assertOrRefuse(conference?.kind === 'ordinary', 'records_itself')
}

export function setRecording(parts: SessionParts, session: Session, active: boolean): void {
  if (isClosed(session.lifecycle) || session.isRecorded === active) return
  session.isRecorded = active
  emit(parts, session, 'recording.changed', { active })
}
