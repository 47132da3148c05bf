/** Null or an omitted field means "none"; in an update an omitted field is unchanged. */
export interface PersonRequest {
  display_name?: string | null
  /** Your id of the person, 1 to 255 bytes: who a person is (rule PERSON-1). */
  external_id?: string | null
}

export interface RoomRequest {
  title?: string | null
  /** Another name for `title`, which wins. */
  name?: string | null
  /** ISO 8601 with a time zone. */
  starts_at?: string | null
  ends_at?: string | null
  description?: string | null
  teacher?: PersonRequest | null
  student?: PersonRequest | null
  /** Whether the board stays for the next session (the default), each session begins with an empty one, or there is none. */
  board?: RoomBoard | null
}

export type RoomBoard = 'keep' | 'fresh' | 'off'

export interface Person {
  display_name: string
  external_id?: string
}

export type RoomStatus = 'scheduled' | 'active' | 'cancelled' | 'closed'

export interface RoomResponse {
  result: 200
  room_id: number
  external_id: string
  /** Equal to `conference_tag` in the archive. */
  tag: string
  title: string
  starts_at: string | null
  ends_at: string | null
  status: RoomStatus
  /** The plain room link. */
  join_url: string
  description: string | null
  /** A signed link; gives the role teacher. */
  teacher_join_url: string
  /** A signed link; gives the role student. */
  student_join_url: string
  teacher: Person
  student: Person
  /** Absent in rooms that keep their board. */
  board?: RoomBoard
}

export interface RoomStatusResponse extends RoomResponse {
  /** `status` as stored: never `active`. */
  stored_status: string
  /** Whether a session is open in the room. */
  live: boolean
}

export type RoomField =
  | 'title'
  | 'description'
  | 'starts_at'
  | 'ends_at'
  | 'board'
  | 'teacher.display_name'
  | 'teacher.external_id'
  | 'student.display_name'
  | 'student.external_id'

export interface RoomPutResponse extends RoomResponse {
  /** False: the room existed already, and is returned unchanged. */
  created: boolean
  /** Fields of the request whose values differ from the existing room. */
  differing_fields: RoomField[]
}

/** Why a document or a page of it cannot be shown. */
export interface SlidesFailure {
  /** Open set: damaged, encrypted, too_slow, … */
  reason: string
  message: string
}

/** Slides of a room (docs/partner-api.md#slides). */
export interface RoomSlides {
  file_id: string
  name: string
  /** By content, not by name. */
  content_type: string
  size: number
  /** Unix milliseconds. */
  created_at_ms: number
  state: 'stored' | 'converting' | 'ready' | 'failed'
  failure: SlidesFailure | null
  /** Null: not known yet. */
  page_count: number | null
  /** Those that are converted, in order; sizes in pixels. */
  pages: { page_number: number; width: number; height: number; failure: SlidesFailure | null }[]
}

export interface RoomListResponse {
  result: 200
  /** Newest first. */
  rooms: Omit<RoomStatusResponse, 'result'>[]
  /** `before` of the next page; null on the last one. */
  next: string | null
}
