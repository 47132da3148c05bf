import {
  type ConferenceView,
  isoTimeToMs,
  type JoinResponse,
  type Role,
  type RoomPage,
} from '@lectern/protocol'
import { type RoomLook, readLook } from './room-look.ts'

/** The invitation of a link. Times are milliseconds since 1970. */
export interface Invitation {
  /** The conference that the link leads to. */
  tag: string
  title: string
  /** Empty when there is none. */
  description: string
  /** A partner has created the room: its moderator is the teacher. */
  isPartnerRoom: boolean
  /** The conference was made for a call, and has no conversation. */
  isCall: boolean
  startsAt: number | null
  endsAt: number | null
  /** A session is open. */
  live: boolean
  /** The people inside; null: nobody, or the server does not say. */
  inside: Inside | null
  /** Whom the link was issued to; null for the plain room link. */
  invitee: Invitee | null
  /** Users without an account may join. */
  admitsGuests: boolean
  features: Features
  /** A recording starts automatically with the first participant. */
  isRecorded: boolean
  /** Languages that can be transcribed, BCP 47; empty if unknown. */
  transcriptionLanguages: readonly string[]
  look: RoomLook
}

/** The names of at most two people inside, and how many people are there. */
export interface Inside {
  names: readonly string[]
  count: number
}

/** The features of the room, as its creator configured them. */
export interface Features {
  mainNavigation: boolean
  chat: boolean
  transcription: boolean
  recordingControls: boolean
  screenSharing: boolean
  /** In the chat. */
  files: boolean
  reactions: boolean
}

/** The facts about the server that the page needs. */
export interface ServerInfo {
  admitsGuests: boolean
  transcribes: boolean
  languages: readonly string[]
}

export interface Invitee {
  role: Role
  name: string
  /** The link signs this person in, so it must not be shared (rule LINK-4). */
  personal: boolean
}

type Unverified<T> = { [K in keyof T]?: unknown }

/** Null when the server would not send such a body. */
export function readJoin(body: unknown): Invitation | null {
  const {
    tag,
    title,
    starts_at,
    ends_at,
    status,
    role,
    display_name,
    participant_auth,
    description,
    participants,
    ui_profile,
    features,
    recording,
    page,
  } = fields<JoinResponse>(body)
  if (typeof tag !== 'string' || typeof title !== 'string' || !isRole(role)) return null
  return {
    tag,
    title,
    description: typeof description === 'string' ? description.trim() : '',
    isPartnerRoom: ui_profile === 'partner_videoroom',
    isCall: false,
    startsAt: readTime(starts_at),
    endsAt: readTime(ends_at),
    live: status === 'active',
    inside: readInside(participants),
    invitee: {
      role,
      name: typeof display_name === 'string' ? display_name.trim() : '',
      personal: participant_auth === true,
    },
    admitsGuests: true, // the link itself admits its holder
    features: { ...readFeatures(features), ...readPageFeatures(page) },
    isRecorded: isAutomatic(recording),
    transcriptionLanguages: [],
    look: readLook(fields<RoomPage>(page) as Partial<RoomPage>),
  }
}

/** For partner rooms the server reports the partner's profile, as for signed links (docs/partner-api.md). */
export function readConference(body: unknown, server: ServerInfo): Invitation | null {
  const { tag, title, starts_at, ends_at, live, participants, ui_profile, purpose, recording, page } =
    fields<ConferenceView>(body)
  const isOrdinary = ui_profile !== 'partner_videoroom'
  if (typeof tag !== 'string' || typeof title !== 'string') return null
  return {
    tag,
    title,
    description: '',
    isPartnerRoom: !isOrdinary,
    isCall: purpose === 'call',
    startsAt: readTime(starts_at),
    endsAt: readTime(ends_at),
    live: live === true,
    inside: readInside(participants),
    invitee: null,
    admitsGuests: server.admitsGuests,
    features: {
      mainNavigation: isOrdinary,
      chat: true,
      transcription: isOrdinary && server.transcribes,
      recordingControls: isOrdinary,
      screenSharing: true,
      files: true,
      reactions: true,
      ...readPageFeatures(page),
    },
    isRecorded: isAutomatic(recording),
    transcriptionLanguages: server.languages,
    look: readLook(fields<RoomPage>(page) as Partial<RoomPage>),
  }
}

/** Null when the server would not send such a body. */
export function readServerInfo(body: unknown): ServerInfo | null {
  const { guests_allowed, transcription_available, transcription_languages } = fields<ServiceInfo>(body)
  if (typeof guests_allowed !== 'boolean') return null
  return {
    admitsGuests: guests_allowed,
    transcribes: transcription_available === true,
    languages: readLanguages(transcription_languages),
  }
}

/** More than a menu can show. */
const LANGUAGES_MAX = 100

/** Servers of earlier versions report none. */
const readLanguages = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .filter(tag => typeof tag === 'string' && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag))
    .slice(0, LANGUAGES_MAX)

interface ServiceInfo {
  guests_allowed: boolean
  transcription_available: boolean
  transcription_languages: string[]
}

/** Servers of earlier versions report nobody. */
function readInside(value: unknown): Inside | null {
  const { names, count } = fields<Inside>(value)
  if (!Array.isArray(names) || typeof count !== 'number') return null
  const known = names.filter(name => typeof name === 'string' && name.trim()).slice(0, NAMES_MAX)
  return known.length > 0 ? { names: known, count: Math.max(count, known.length) } : null
}

const NAMES_MAX = 2

const isAutomatic = (recording: unknown): boolean =>
  fields<JoinResponse['recording']>(recording).mode === 'automatic'

/** Missing features are off. */
function readFeatures(value: unknown): Features {
  const { main_navigation, chat, transcription, recording_controls } = fields<JoinResponse['features']>(value)
  return {
    mainNavigation: main_navigation === true,
    chat: chat === true,
    transcription: transcription === true,
    recordingControls: recording_controls === true,
    screenSharing: true,
    files: true,
    reactions: true,
  }
}

/** The decisions of the room's partner; nothing where it has set nothing. */
function readPageFeatures(page: unknown): Partial<Features> {
  const { features } = fields<RoomPage>(page)
  if (features === undefined) return {}
  const { chat, files, screen_sharing, reactions, captions } = fields<RoomPage['features']>(features)
  return {
    chat: chat !== false,
    screenSharing: screen_sharing !== false,
    files: files !== false,
    reactions: reactions !== false,
    transcription: captions === true,
  }
}

const fields = <T>(body: unknown): Unverified<T> =>
  typeof body === 'object' && body !== null ? (body as Unverified<T>) : {}

// Repeated here, because the protocol's list is in a file of schemas that the page must not load.
const roles: Record<Role, true> = { teacher: true, student: true }

const isRole = (value: unknown): value is Role => typeof value === 'string' && Object.hasOwn(roles, value)

function readTime(value: unknown): number | null {
  const ms = typeof value === 'string' ? isoTimeToMs(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
