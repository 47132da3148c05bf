import { type Static, type TSchema, Type } from 'typebox'
import { lazyCheck } from '../../lazy-check.ts'
import { explain } from '../explain.ts'
import { strict } from '../scalars.ts'
import { boardCommands, boardData, boardEvents, pageEvents } from './board/board.ts'
import { callCommands, callData, callEvents } from './calls.ts'
import { chatCommands, chatData, chatEvents } from './chat.ts'
import type { CommandName } from './commands.ts'
import { conferenceCommands, conferenceData, conferenceEvents } from './conference.ts'
import { contactCommands, contactData, contactEvents } from './contacts.ts'
import type { AccountEventName, PageEventName, SessionEventName } from './events.ts'
import { StoredDisplayName } from './fields.ts'
import { jobCommands, jobData, jobEvents } from './jobs.ts'
import { lobbyCommands, lobbyData, lobbyEvents } from './lobby.ts'
import { mediaCommands, mediaData, mediaEvents } from './media.ts'
import { messageCommands, messageData, messageEvents } from './messages.ts'
import { moderationCommands, moderationEvents } from './moderation.ts'
import { participantCommands, participantEvents } from './participant.ts'
import { pushCommands, pushData } from './push.ts'
import { transcriptionCommands, transcriptionData, transcriptionEvents } from './transcription.ts'

/** The bodies of commands. */
export const commandBodies = {
  ...conferenceCommands,
  ...lobbyCommands,
  ...chatCommands,
  ...participantCommands,
  ...moderationCommands,
  ...messageCommands,
  ...contactCommands,
  ...mediaCommands,
  ...callCommands,
  ...jobCommands,
  ...transcriptionCommands,
  ...pushCommands,
  ...boardCommands,
} satisfies Record<CommandName, TSchema>
export type CommandBody<N extends CommandName> = Static<(typeof commandBodies)[N]>

/** The `data` of committed and applied results; other commands have none. */
export const commandData = {
  ...conferenceData,
  ...lobbyData,
  ...chatData,
  ...messageData,
  ...contactData,
  ...mediaData,
  ...callData,
  ...jobData,
  ...transcriptionData,
  ...pushData,
  ...boardData,
} satisfies Partial<Record<CommandName, TSchema>>
export type CommandData<N extends keyof typeof commandData> = Static<(typeof commandData)[N]>

/** The bodies of events. */
export const eventBodies = {
  ...participantEvents,
  ...moderationEvents,
  ...chatEvents,
  ...conferenceEvents,
  ...lobbyEvents,
  ...mediaEvents,
  ...callEvents,
  ...jobEvents,
  ...transcriptionEvents,
  ...messageEvents,
  ...contactEvents,
  ...boardEvents,
  ...pageEvents,
  'account.changed': Type.Object({ display_name: StoredDisplayName }, strict),
} satisfies Record<SessionEventName | AccountEventName | PageEventName, TSchema>
export type EventBody<N extends keyof typeof eventBodies> = Static<(typeof eventBodies)[N]>

const checks = new Map(Object.entries(commandBodies).map(([name, schema]) => [name, lazyCheck(schema)]))

/** Describes why the body of a command is invalid, for an `invalid_argument`; null for a valid body. */
export function findBodyError(name: CommandName, body: unknown): string | null {
  return checks.get(name)?.Check(body) ? null : explain('body', commandBodies[name], body)
}
