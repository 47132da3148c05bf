import { isoTimeToMs, type PersonRequest, type RoomField, type RoomRequest } from '@lectern/protocol'
import type { RoomContent, RoomPerson } from './ports.ts'

/**
 * The fields of a request whose values differ from the room. `wanted` is what the request stands for. Absent fields do not
 * count, and times are equal if they mean the same moment.
 */
export function differingFields(request: RoomRequest, wanted: RoomContent, room: RoomContent): RoomField[] {
  const compared: [field: RoomField, isGiven: boolean, isEqual: boolean][] = [
    ['title', request.title !== undefined || request.name !== undefined, wanted.title === room.title],
    ['description', request.description !== undefined, wanted.description === room.description],
    ['starts_at', request.starts_at !== undefined, isSameTime(wanted.startsAt, room.startsAt)],
    ['ends_at', request.ends_at !== undefined, isSameTime(wanted.endsAt, room.endsAt)],
    ['board', request.board !== undefined, wanted.board === room.board],
    ...comparePerson('teacher', request.teacher, wanted.people.teacher, room.people.teacher),
    ...comparePerson('student', request.student, wanted.people.student, room.people.student),
  ]
  return compared.filter(([, isGiven, isEqual]) => isGiven && !isEqual).map(([field]) => field)
}

function comparePerson(
  role: 'teacher' | 'student',
  request: PersonRequest | null | undefined,
  wanted: RoomPerson,
  person: RoomPerson,
): [field: RoomField, isGiven: boolean, isEqual: boolean][] {
  // Null stands for a person with neither.
  const isGiven = (name: keyof PersonRequest) =>
    request === null || (request !== undefined && request[name] !== undefined)
  return [
    [`${role}.display_name`, isGiven('display_name'), wanted.displayName === person.displayName],
    [`${role}.external_id`, isGiven('external_id'), wanted.externalId === person.externalId],
  ]
}

const isSameTime = (a: string | null, b: string | null) =>
  a === b || (a !== null && b !== null && isoTimeToMs(a) === isoTimeToMs(b))
