/** A chapter of a recording, as the recorder lists it in chapters.json. */
export interface Chapter {
  kind: 'speaker' | 'screen' | 'page'
  fromMs: number
  /** The name of the person; the number of a page. */
  name: string
}

/** A page of the board, as it was at the end. */
export interface BoardPagePicture {
  number: number
  blobId: string
  /** When it was shown first; null: it has no chapter. */
  fromMs: number | null
}

/** A person in attendance.json. Times are Unix milliseconds. */
export interface Attendee {
  userId: string
  name: string
  joinedAtMs: number
  /** Null: present at the end of the recording. */
  leftAtMs: number | null
  joins: number
  presentMs: number
  talkMs: number
  handCount: number
  handMs: number
}

/** Files that have a place of their own on the page of a recording. Recordings of earlier versions have none. */
export const LESSON_FILES = {
  poster: 'poster.jpg',
  chapters: 'chapters.json',
  attendance: 'attendance.json',
  attendanceTable: 'attendance.csv',
  board: 'board.pdf',
} as const

/** More than a recorder writes. */
const CHAPTERS_MAX = 400
/** More than take part in a lesson. The files have all. */
const ATTENDEES_MAX = 1000

/** Entries that this page does not understand are left out. */
export function readChapters(body: unknown): Chapter[] {
  return listOf(body, 'chapters')
    .flatMap((entry): Chapter[] => {
      const { kind, from_ms, name, page } = entry
      if (!isNumber(from_ms)) return []
      if (kind === 'page') return isNumber(page) ? [{ kind, fromMs: from_ms, name: String(page) }] : []
      if (kind !== 'speaker' && kind !== 'screen') return []
      return [{ kind, fromMs: from_ms, name: textOf(name) }]
    })
    .slice(0, CHAPTERS_MAX)
}

const PAGE_PICTURE = /^board\/page-(\d+)\.png$/

/** The pages of the board among the files of a recording, in their order. */
export function boardPagesOf(
  files: readonly { path: string; blob_id: string }[],
  chapters: readonly Chapter[],
): BoardPagePicture[] {
  return files
    .flatMap(({ path, blob_id }): BoardPagePicture[] => {
      const number = Number(PAGE_PICTURE.exec(path)?.[1] ?? 0)
      const chapter = chapters.find(({ kind, name }) => kind === 'page' && name === String(number))
      return number > 0 ? [{ number, blobId: blob_id, fromMs: chapter?.fromMs ?? null }] : []
    })
    .sort((a, b) => a.number - b.number)
}

export function readAttendance(body: unknown): Attendee[] {
  return listOf(body, 'people')
    .flatMap(entry => {
      const { user_id, name, joined_at_ms, left_at_ms, present_ms } = entry
      if (!isNumber(joined_at_ms) || !isNumber(present_ms)) return []
      return {
        userId: textOf(user_id),
        name: textOf(name),
        joinedAtMs: joined_at_ms,
        leftAtMs: isNumber(left_at_ms) ? left_at_ms : null,
        joins: Array.isArray(entry.stays) ? entry.stays.length : 1,
        presentMs: present_ms,
        talkMs: numberOf(entry.talk_ms),
        handCount: numberOf(entry.hand_count),
        handMs: numberOf(entry.hand_ms),
      } satisfies Attendee
    })
    .slice(0, ATTENDEES_MAX)
}

/** The index of the chapter at this position: the last that has begun; -1 before the first. */
export const chapterAt = (chapters: readonly Chapter[], positionMs: number): number =>
  chapters.findLastIndex(({ fromMs }) => fromMs <= positionMs)

function listOf(body: unknown, field: string): Record<string, unknown>[] {
  const list = isObject(body) ? body[field] : null
  return Array.isArray(list) ? list.filter(isObject) : []
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Dates beyond this cannot be shown. */
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 8.64e15

const numberOf = (value: unknown) => (isNumber(value) ? value : 0)
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
