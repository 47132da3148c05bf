import { type HostedRoomRequest, Refusal, type RoomSettings } from '@lectern/protocol'
import type { ConferenceSettings } from '../../../sessions/ports.ts'
import type { Room } from '../../ports.ts'

/** What a room has that sets nothing: as in version 1. */
const USUAL: RoomSettings = {
  recording: { mode: 'automatic', format: 'mkv', keep_days: null },
  transcription: { mode: 'off', language: null },
  lobby: false,
  plain_link: null,
  opens_before_s: null,
  max_participants: null,
  metadata: {},
}

export const settingsOf = ({ settings }: Pick<Room, 'settings'>): RoomSettings => ({ ...USUAL, ...settings })

/** Settings of the specification that no part of the server carries out yet: they are refused, not ignored. */
const UNSUPPORTED = ['language', 'layout', 'features', 'return_url', 'brand'] as const

/** The settings of a room after a request: what is absent keeps its value. Throws `setting_not_supported`. */
export function changedSettings(
  room: Pick<Room, 'settings'>,
  request: HostedRoomRequest,
): Partial<RoomSettings> {
  const refused = UNSUPPORTED.find(name => name in request)
  if (refused) throw new Refusal('setting_not_supported', `This server does not support ${refused} yet.`)
  if (request.transcription && 'captions' in request.transcription)
    throw new Refusal('setting_not_supported', 'This server does not support transcription.captions yet.')
  const before = settingsOf(room)
  const { recording, transcription, lobby, plain_link, opens_before_s, max_participants, metadata } = request
  const given = {
    ...(recording && { recording: { ...before.recording, ...recording } }),
    ...(transcription && {
      transcription: {
        mode: transcription.mode ?? before.transcription.mode,
        language:
          transcription.language === undefined ? before.transcription.language : transcription.language,
      },
    }),
    ...(lobby !== undefined && { lobby }),
    ...(plain_link !== undefined && { plain_link }),
    ...(opens_before_s !== undefined && { opens_before_s }),
    ...(max_participants !== undefined && { max_participants }),
    ...(metadata !== undefined && { metadata }),
  }
  return { ...room.settings, ...given }
}

/** What sessions of the room need to know; undefined: nothing is set. */
export function conferenceSettings(room: Pick<Room, 'settings'>): ConferenceSettings | undefined {
  if (Object.keys(room.settings).length === 0) return undefined
  const { recording, transcription, lobby, max_participants } = settingsOf(room)
  return {
    recording: recording.mode,
    recordingFormat: recording.format,
    transcription: transcription.mode === 'automatic' ? { language: transcription.language } : null,
    hasLobby: lobby,
    participantsMax: max_participants,
  }
}
