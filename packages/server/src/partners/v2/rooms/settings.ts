import { ensure, type HostedRoomRequest, type RoomPage, type RoomSettings } from '@lectern/protocol'
import { parseWellFormed } from '../../../platform/delivery/target.ts'
import type { ConferenceSettings } from '../../../sessions/ports.ts'
import type { Room } from '../../ports.ts'

/** The settings of a room that sets nothing: as in version 1. */
const USUAL: RoomSettings = {
  recording: { mode: 'automatic', format: 'mkv', keep_days: null },
  transcription: { mode: 'off', language: null, captions: false },
  lobby: false,
  plain_link: null,
  opens_before_s: null,
  max_participants: null,
  brand: { name: null, accent: null },
  layout: 'webinar',
  language: null,
  return_url: null,
  features: { chat: true, files: true, screen_sharing: true, reactions: true, captions: true },
  metadata: {},
}

/** Settings that consist of several: a request changes those that it has. */
const GROUPS = ['recording', 'transcription', 'brand', 'features'] as const
const SINGLE = [
  'lobby',
  'plain_link',
  'opens_before_s',
  'max_participants',
  'layout',
  'language',
  'return_url',
  'metadata',
] as const

/** Rooms of earlier versions lack what was added to a group. */
export function settingsOf({ settings }: Pick<Room, 'settings'>): RoomSettings {
  const groups = GROUPS.map(name => [name, { ...USUAL[name], ...settings[name] }])
  return { ...USUAL, ...settings, ...Object.fromEntries(groups) }
}

/** The settings of a room after a request: what is absent keeps its value. */
export function changedSettings(
  room: Pick<Room, 'settings'>,
  request: HostedRoomRequest,
): Partial<RoomSettings> {
  if (request.return_url) ensureReturnUrl(request.return_url)
  const before = settingsOf(room)
  const groups = GROUPS.filter(name => request[name]).map(name => [
    name,
    pick(Object.keys(USUAL[name]), { ...before[name], ...request[name] }),
  ])
  const given = SINGLE.filter(name => request[name] !== undefined).map(name => [name, request[name]])
  return { ...room.settings, ...Object.fromEntries([...groups, ...given]) }
}

const pick = (names: string[], from: object) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

function ensureReturnUrl(text: string): void {
  const url = parseWellFormed(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  ensure(isSafe, 'invalid_argument', 'return_url must be an https URL, or an http one on this machine.')
}

const PAGE = ['brand', 'layout', 'language', 'return_url', 'features', 'transcription'] as const

/** The settings of the page of the room; undefined: nothing is set. */
export function roomPage(room: Pick<Room, 'settings'>): RoomPage | undefined {
  if (!PAGE.some(name => name in room.settings)) return undefined
  const { brand, layout, language, return_url, features, transcription } = settingsOf(room)
  const captions = features.captions && transcription.captions
  return { brand, layout, language, return_url, features: { ...features, captions } }
}

/** The settings that sessions of the room need; undefined: nothing is set. */
export function conferenceSettings(room: Pick<Room, 'settings'>): ConferenceSettings | undefined {
  if (Object.keys(room.settings).length === 0) return undefined
  const { recording, transcription, lobby, max_participants, features } = settingsOf(room)
  return {
    recording: recording.mode,
    recordingFormat: recording.format,
    transcription: transcription.mode === 'automatic' ? { language: transcription.language } : null,
    hasLobby: lobby,
    participantsMax: max_participants,
    features,
  }
}
