/** Patterns of queries and paths, whose values are strings. This file imports nothing: browsers load it, too. */
export const LIMIT_PATTERN = '^([1-9][0-9]?|1[0-9][0-9]|200)$'
export const LIMIT_100_PATTERN = '^([1-9][0-9]?|100)$'
export const ID_CURSOR_PATTERN = '^[0-9]{1,15}$'
/** A cursor is a text for its readers, whatever it contains. */
export const ROW_CURSOR_PATTERN = '^[1-9]\\d{0,14}$'
export const TIME_CURSOR_PATTERN = '^[0-9]{1,15}\\.[\\w-]{1,80}$'
export const ROW_ID_PATTERN = '^[1-9][0-9]{0,14}$'
export const POSITION_PATTERN = '^(0|[1-9][0-9]{0,8})$'
/** Beyond all of them. */
export const POSITION_MAX = 1_000_000_000

/** The numbers that match them. */
export const INTEGER_PATTERNS: Readonly<Record<string, { minimum: number; maximum?: number }>> = {
  [LIMIT_PATTERN]: { minimum: 1, maximum: 200 },
  [LIMIT_100_PATTERN]: { minimum: 1, maximum: 100 },
  [ROW_ID_PATTERN]: { minimum: 1 },
  [POSITION_PATTERN]: { minimum: 0 },
}

/** The words for them in error messages. */
export const PAGE_PATTERNS: Readonly<Record<string, string>> = {
  [LIMIT_PATTERN]: 'must be a whole number from 1 to 200',
  [LIMIT_100_PATTERN]: 'must be a whole number from 1 to 100',
  [ID_CURSOR_PATTERN]: 'must be the value of next in the previous page',
  [ROW_CURSOR_PATTERN]: 'must be the value of next in the previous page',
  [TIME_CURSOR_PATTERN]: 'must be the value of next in the previous page',
  [ROW_ID_PATTERN]: 'must be a whole number from 1 on',
  [POSITION_PATTERN]: 'must be a whole number from 0 on',
}
