import type { Here } from './here.ts'
import { canRecord } from './policy.ts'
import type { ConferenceParts } from './ports.ts'
import { demand } from './refusals.ts'
import { emit, type Session } from './session.ts'

/** By hand, in conferences that users made: those of partners are recorded without being asked. */
export async function startRecording(here: Here): Promise<void> {
  await demandRecording(here)
  const { parts, session } = here
  await parts.jobs.startRecording({ sessionId: session.id, tag: session.tag })
}

export async function stopRecording(here: Here): Promise<void> {
  await demandRecording(here)
  await here.parts.jobs.stopRecording(here.session.id)
}

async function demandRecording({ parts, session, self }: Here): Promise<void> {
  demand(canRecord(self), 'not_moderator')
  const conference = await parts.directory.find(session.tag)
  demand(conference?.kind === 'ordinary', 'records_itself')
}

export function noteRecording(parts: ConferenceParts, session: Session, active: boolean): void {
  if (session.isOver || session.isRecorded === active) return
  session.isRecorded = active
  emit(parts, session, 'recording.changed', { active })
}
