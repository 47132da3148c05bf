import type { SessionView } from '@lectern/control-client'
import type { ParticipantView, Publication } from '@lectern/protocol/control/client'
import { isNamesake } from './namesake.ts'

/** A person in the room, with all their devices. */
export interface Person {
  userId: string
  name: string
  isMe: boolean
  isModerator: boolean
  /** No moderator, but named like one. */
  isNamesake: boolean
  /** The connections of all devices are lost. */
  isAway: boolean
  devices: readonly Device[]
}

export interface Device {
  id: string
  /** The device of this page. */
  isThis: boolean
  isAway: boolean
  handRaisedAt: number | null
  microphone: boolean
  camera: boolean
  screen: boolean
  /** The sound of the shared screen. */
  screenAudio: boolean
}

/** The own person first, then moderators, then by join time: a raised hand moves nobody. */
export function listPeople({ participants, publications }: SessionView, me: ParticipantView): Person[] {
  const byUser = new Map<string, ParticipantView[]>()
  for (const each of participants) byUser.set(each.user_id, [...(byUser.get(each.user_id) ?? []), each])
  return [...byUser.values()]
    .map(devices => makePerson(devices, participants, publications, me))
    .sort((a, b) => Number(b.isMe) - Number(a.isMe) || Number(b.isModerator) - Number(a.isModerator))
}

function makePerson(
  devices: readonly ParticipantView[],
  participants: readonly ParticipantView[],
  publications: readonly Publication[],
  me: ParticipantView,
): Person {
  const isMe = devices[0]?.user_id === me.user_id
  return {
    userId: devices[0]?.user_id ?? '',
    // Names belong to devices; the own name belongs to this device, and can be changed here.
    name: (isMe ? me : devices[0])?.display_name ?? '',
    isMe,
    isModerator: devices.some(each => each.role === 'moderator'),
    isNamesake: devices.some(each => isNamesake(each, participants)),
    isAway: devices.every(each => each.presence === 'away'),
    devices: devices.map(each => makeDevice(each, publications, me)),
  }
}

function makeDevice(
  view: ParticipantView,
  publications: readonly Publication[],
  me: ParticipantView,
): Device {
  const sends = (source: Publication['source']) =>
    publications.some(
      each => each.participant_id === view.participant_id && each.source === source && !each.paused,
    )
  return {
    id: view.participant_id,
    isThis: view.participant_id === me.participant_id,
    isAway: view.presence === 'away',
    handRaisedAt: view.hand_raised_at_ms,
    microphone: sends('microphone'),
    camera: sends('camera'),
    screen: sends('screen'),
    screenAudio: sends('screen_audio'),
  }
}

/** People with a raised hand, the first one first. */
export const raisedHands = (people: readonly Person[]): { person: Person; since: number }[] =>
  people
    .flatMap(person => {
      const times = person.devices.flatMap(({ handRaisedAt }) => handRaisedAt ?? [])
      return times.length > 0 ? [{ person, since: Math.min(...times) }] : []
    })
    .sort((a, b) => a.since - b.since)
