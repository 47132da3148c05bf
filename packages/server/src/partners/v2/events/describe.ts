import type { AttendanceEntry } from '@lectern/protocol'
import type { Occurrence } from '../../ports.ts'
import type { Attendance, PartnerFacts } from '../../stores/v2/facts.ts'
import { presentStoredRecording, presentWholeTranscript } from '../recordings/present.ts'
import type { Attendee, DescribePerson, KnownPeople } from './known-people.ts'

/** The room of an occurrence, also while it is being deleted. */
export interface EventRoom {
  clientId: number
  externalId: string
  tag: string
  metadata: Record<string, string>
}

/** The `data` of an event, and what it adds to the usage of its month. */
export interface Description {
  data: object
  participantMs?: number
  recordedMs?: number
}

const utc = (ms: number) => new Date(ms).toISOString()

const subjectOf = ({ subject }: Occurrence) => subject.slice(subject.indexOf(':') + 1)

/** Describes what happened. Null when it has become void: the recording was removed before. */
export async function describe(
  occurrence: Occurrence,
  room: EventRoom,
  facts: PartnerFacts,
  known: KnownPeople,
): Promise<Description | null> {
  const id = subjectOf(occurrence)
  switch (occurrence.type) {
    case 'room.started':
    case 'room.ended':
      return describeSession(Number(id), occurrence.type === 'room.ended', room, facts, known)
    case 'participant.joined':
    case 'participant.left': {
      const attendance = await facts.participant(id)
      if (!attendance) return null
      const person = await known.of(room, [attendance.userId])
      const entry = presentAttendance(attendance, person)
      const isLeft = occurrence.type === 'participant.left'
      // Others may have left meanwhile: each event says what was known then.
      const participant = isLeft ? entry : { ...entry, left_at: null, reason: null }
      return {
        data: { session_id: attendance.sessionId, participant },
        ...(isLeft && { participantMs: (attendance.leftAtMs ?? 0) - attendance.joinedAtMs }),
      }
    }
    case 'participant.waiting': {
      const waiting = occurrence.data as unknown as Attendee
      const person = await known.of(room, [waiting.userId])
      return { data: { participant: person(waiting, null) } }
    }
    case 'recording.ready': {
      const recording = await facts.recording(id)
      if (!recording) return null
      const shown = presentStoredRecording(recording, room.externalId)
      return { data: { recording: shown }, recordedMs: recording.durationMs }
    }
    case 'recording.started':
    case 'recording.deleted':
      return { data: { recording: { id, session_id: (await facts.sessionOfJob(id)) ?? 0 } } }
    case 'recording.failed': {
      const session_id = (await facts.sessionOfJob(id)) ?? 0
      const reason = (await facts.isNothingCaptured(id)) ? 'nothing_captured' : 'failed'
      return { data: { recording: { id, session_id, reason } } }
    }
    case 'transcription.ready': {
      const transcript = await facts.transcript(id)
      if (!transcript) return null
      const speakers = transcript.segments.map(({ speaker }) => speaker.client_id)
      const externalIds = await known.externalIds(room.clientId, speakers)
      return { data: { transcription: presentWholeTranscript(transcript, room.externalId, externalIds) } }
    }
    case 'room.deleted':
      return { data: {} }
  }
}

async function describeSession(
  id: number,
  isEnd: boolean,
  room: EventRoom,
  facts: PartnerFacts,
  known: KnownPeople,
): Promise<Description | null> {
  const [session] = await facts.sessions([id])
  if (!session) return null
  const started = { session_id: id, started_at: utc(session.startedAtMs) }
  if (!isEnd) return { data: started }
  const attendance = await facts.attendanceOf([id])
  const person = await known.of(
    room,
    attendance.map(each => each.userId),
  )
  return {
    data: {
      ...started,
      ended_at: utc(session.endedAtMs ?? session.startedAtMs),
      reason: session.endReason ?? '',
      attendance: attendance.map(each => presentAttendance(each, person)),
    },
  }
}

const presentAttendance = (attendance: Attendance, person: DescribePerson): AttendanceEntry => ({
  ...person(attendance, attendance.participantId),
  joined_at: utc(attendance.joinedAtMs),
  left_at: attendance.leftAtMs === null ? null : utc(attendance.leftAtMs),
  reason: attendance.reason,
})
