import { Type } from 'typebox'

/** A language tag (BCP 47), such as en-US. */
export const Language = Type.String({
  minLength: 1,
  maxLength: 35,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
})

/** The most languages that a transcriber announces. */
export const LANGUAGES_MAX = 20
