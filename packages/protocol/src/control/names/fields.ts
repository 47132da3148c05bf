import { Type } from 'typebox'
import { DISPLAY_NAME_MAX } from '../../display-name.ts'
import { CHAT_TEXT_MAX } from './messaging-limits.ts'

/** Fields of bodies. Lengths count Unicode code points (rule API-6). */

/** Excludes NUL, which not every database can store. Rule F7 requires well-formed text. */
export const text = (minLength: number, maxLength: number, description: string) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000]*$', description })

export const ChatText = text(1, CHAT_TEXT_MAX, 'The text of the message.')
export const EditedText = text(0, CHAT_TEXT_MAX, 'The text; empty only of a message with a file.')
export const StoredText = text(
  0,
  CHAT_TEXT_MAX,
  'The text; empty in a deleted message, and where there is only a file.',
)

/** The rule of account names, and not empty. */
export const RequiredDisplayName = text(1, DISPLAY_NAME_MAX, 'The name that others see. Not an identity.')

/** A name that somebody already has, maybe none. */
export const StoredDisplayName = text(0, DISPLAY_NAME_MAX, 'The name that others see; possibly empty.')

export const TimeMs = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Unix milliseconds.',
})
