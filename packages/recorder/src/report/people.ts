import type { Attendance, Stay } from '../session/attendance.ts'
import type { RaisedHands } from '../session/raised-hands.ts'
import type { Span } from '../tracks/spans.ts'
import type { TrackReader } from '../tracks/track-reader.ts'

/** A person in a recording: one account, however often it joined, and what its devices sent. */
export interface Person {
  userId: string
  /** The id of the person at the partner; null for guests and outside of partners' rooms. */
  externalId: string | null
  /** The name when the person was last seen. */
  name: string
  role: string
  /** At least one, in order. */
  stays: Stay[]
  hands: RaisedHands
  talkMs: number
  /** Periods of speech of all microphones; they may overlap. */
  voice: Span[]
  screens: Span[]
  cameras: Span[]
}

/** The accounts of everybody who took part. */
export const userIdsOf = (attendance: Attendance): string[] => [
  ...new Set(attendance.stays().map(({ person }) => person.user_id)),
]

/** Everybody who took part, in order of joining. */
export function peopleOf(
  attendance: Attendance,
  tracks: Iterable<TrackReader>,
  externalIds: ReadonlyMap<string, string> = new Map(),
): Person[] {
  const people = new Map<string, Person>()
  const byParticipant = new Map<string, Person>()
  for (const stay of attendance.stays()) {
    const { participant_id, user_id, display_name, role } = stay.person
    const person = people.get(user_id) ?? newPerson(user_id, attendance.handsOf(user_id))
    person.externalId = externalIds.get(user_id) ?? null
    person.name = display_name
    person.role = role
    person.stays.push(stay)
    people.set(user_id, person)
    byParticipant.set(participant_id, person)
  }
  for (const track of tracks) {
    const person = byParticipant.get(track.head.participantId)
    if (person) addTrack(person, track)
  }
  return [...people.values()]
}

function addTrack(person: Person, { head, media }: TrackReader): void {
  if (media.kind === 'video') {
    const spans = head.source === 'screen' ? person.screens : person.cameras
    spans.push(...media.visible.all)
  } else if (head.source === 'microphone') {
    person.voice.push(...media.voice.all)
    person.talkMs += media.voice.talkMs
  }
}

const newPerson = (userId: string, hands: RaisedHands): Person => ({
  ...{ userId, externalId: null, name: '', role: '', stays: [], hands },
  ...{ talkMs: 0, voice: [], screens: [], cameras: [] },
})
