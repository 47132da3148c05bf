/*
 * The messages between a page that embeds a room and the hosted page in the frame (docs/embedding.md). Both sides parse
 * what they receive with the functions of this file: a message that does not have its exact shape is dropped.
 */

export type ThemeName = 'system' | 'light' | 'dark'

/** Commands of the embedding page. They never do more than the person in the frame could do with a click. */
export type Command =
  | { name: 'set_microphone'; on: boolean }
  | { name: 'set_camera'; on: boolean }
  | { name: 'leave' }
  | { name: 'set_theme'; theme: ThemeName }
  | { name: 'set_language'; language: string }
  | { name: 'open_chat' }

/** Why a command had no effect. */
export const COMMAND_ERRORS = [
  'not_joined', // the person is not in the room
  'not_permitted', // by the room, or by the browser
  'declined', // the person was asked, and has declined
  'busy', // another question is on the screen, or there are too many commands
  'unknown_language',
  'unavailable', // this room has no chat
  'closed', // the frame was removed or shows another page
] as const
export type CommandError = (typeof COMMAND_ERRORS)[number]

/** Events in the frame. No names, links or contents. */
export type RoomEvent =
  | { name: 'joined'; participants: number; recording: boolean; microphone: boolean; camera: boolean }
  | { name: 'participants'; participants: number }
  | { name: 'recording'; recording: boolean }
  | { name: 'devices'; microphone: boolean; camera: boolean }
  /** The person is not in the room any more. */
  | { name: 'left'; reason: string }
  /** The session is over for everybody. */
  | { name: 'ended'; reason: string }
  /** The link does not open, or the room cannot be entered. `code` is of an open set. */
  | { name: 'error'; code: string }

/** From the embedding page to the frame. */
export type HostMessage =
  | { lectern: 1; type: 'connect' }
  | { lectern: 1; type: 'command'; id: number; command: Command }

/** From the frame to the embedding page. `ready` is sent to any origin, because it says nothing. */
export type FrameMessage =
  | { lectern: 1; type: 'ready' }
  | { lectern: 1; type: 'event'; event: RoomEvent }
  | { lectern: 1; type: 'result'; id: number; error: CommandError | null }

type Fields = Record<string, unknown>

/** A text of an event or a language; longer ones are malformed. */
const TEXT_MAX = 64

/** Parses what the frame receives; null: malformed. */
export function parseHostMessage(data: unknown): HostMessage | null {
  const message = fieldsOf(data)
  if (message?.lectern !== 1) return null
  if (message.type === 'connect') return { lectern: 1, type: 'connect' }
  const command = parseCommand(message.command)
  if (message.type !== 'command' || !command || !isId(message.id)) return null
  return { lectern: 1, type: 'command', id: message.id, command }
}

/** Parses what the embedding page receives; null: malformed. */
export function parseFrameMessage(data: unknown): FrameMessage | null {
  const message = fieldsOf(data)
  if (message?.lectern !== 1) return null
  if (message.type === 'ready') return { lectern: 1, type: 'ready' }
  if (message.type === 'event') {
    const event = parseEvent(message.event)
    return event && { lectern: 1, type: 'event', event }
  }
  if (message.type !== 'result' || !isId(message.id)) return null
  const error = COMMAND_ERRORS.find(each => each === message.error) ?? null
  if (error === null && message.error !== null) return null
  return { lectern: 1, type: 'result', id: message.id, error }
}

function parseCommand(value: unknown): Command | null {
  const { name, on, theme, language } = fieldsOf(value) ?? {}
  switch (name) {
    case 'set_microphone':
    case 'set_camera':
      return typeof on === 'boolean' ? { name, on } : null
    case 'set_theme':
      return theme === 'system' || theme === 'light' || theme === 'dark' ? { name, theme } : null
    case 'set_language':
      return isText(language) ? { name, language } : null
    case 'leave':
    case 'open_chat':
      return { name }
    default:
      return null
  }
}

function parseEvent(value: unknown): RoomEvent | null {
  const { name, participants, recording, microphone, camera, reason, code } = fieldsOf(value) ?? {}
  switch (name) {
    case 'joined':
      return isCount(participants) && isFlag(recording) && isFlag(microphone) && isFlag(camera)
        ? { name, participants, recording, microphone, camera }
        : null
    case 'participants':
      return isCount(participants) ? { name, participants } : null
    case 'recording':
      return isFlag(recording) ? { name, recording } : null
    case 'devices':
      return isFlag(microphone) && isFlag(camera) ? { name, microphone, camera } : null
    case 'left':
    case 'ended':
      return isText(reason) ? { name, reason } : null
    case 'error':
      return isText(code) ? { name, code } : null
    default:
      return null
  }
}

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= TEXT_MAX
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
