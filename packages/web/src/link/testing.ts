import type { ConferenceView, JoinResponse } from '@lectern/protocol'
import type { Invitation } from './invitation.ts'
import type { RoomLook } from './room-look.ts'

/** Of a partner that sets nothing. */
export const USUAL_LOOK: RoomLook = {
  brand: null,
  accent: null,
  layout: 'webinar',
  language: null,
  returnUrl: null,
}

/** Responses of the server. */
export const aJoin = (parts: Partial<JoinResponse> = {}): JoinResponse => ({
  result: 200,
  role: 'teacher',
  participant_auth: true,
  display_name: 'Anna',
  room_id: 1,
  external_id: 'lesson-1',
  tag: 'quiet-fox',
  title: 'Algebra',
  starts_at: '2026-09-01T10:00+0300',
  ends_at: null,
  description: null,
  status: 'scheduled',
  join_url: 'https://meet.example/conferences/quiet-fox',
  ui_profile: 'partner_videoroom',
  layout_mode: 'webinar',
  features: { main_navigation: false, chat: true, transcription: false, recording_controls: false },
  recording: { mode: 'automatic' },
  ...parts,
})

export const aConference = (parts: Partial<ConferenceView> = {}): ConferenceView => ({
  result: 200,
  tag: 'quiet-fox',
  title: 'Open hour',
  starts_at: null,
  ends_at: '2026-09-01T10:00:00Z',
  live: false,
  entry: 'open',
  ...parts,
})

export const anInvitation = (parts: Partial<Invitation> = {}): Invitation => ({
  tag: 'quiet-fox',
  title: 'Algebra',
  description: '',
  isPartnerRoom: true,
  isCall: false,
  startsAt: null,
  endsAt: null,
  live: false,
  inside: null,
  invitee: null,
  admitsGuests: true,
  features: {
    mainNavigation: false,
    chat: true,
    transcription: false,
    recordingControls: false,
    screenSharing: true,
    files: true,
    reactions: true,
  },
  isRecorded: false,
  transcriptionLanguages: [],
  look: USUAL_LOOK,
  ...parts,
})
