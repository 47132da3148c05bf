import { Refusal } from '@lectern/protocol'
import {
  acceptsTarget,
  CHAT_PAGE_BYTES,
  type CommandBody,
  findBodyError,
  type ImplementedCommand,
  isCommandName,
  isImplemented,
  type JsonObject,
  type Target,
} from '@lectern/protocol/control'
import type { Stream } from '../../streams/stream.ts'
import { ENDPOINT_ANSWER_BYTES, MIN_ANSWER_BYTES, SNAPSHOT_ANSWER_BYTES } from '../limits/constants.ts'
import { receiversIn } from '../limits/notification-budget.ts'
import type { ControlParts, Login } from '../ports.ts'
import type { SessionMembership } from '../v2/connection.ts'
import * as conference from './conference.ts'
import * as jobs from './jobs.ts'
import * as lobby from './lobby.ts'
import * as media from './media.ts'
import * as observing from './observers.ts'

/** Who gives commands: a connection of either version of the protocol. */
export interface Sender {
  readonly id: string
  readonly login: Login
  /** Its seats in conferences, by stream. */
  readonly memberships: ReadonlyMap<string, SessionMembership>
  /** Has a seat from now on, and hears the stream of the session. False: it is gone meanwhile. */
  enter(seat: SessionMembership, stream: Stream): boolean
  /** Whether its client can be reached right now. */
  readonly isConnected: boolean
  /** It never comes back. */
  readonly isOver: boolean
  readonly address: string
}

/** A command on its way to its handler. */
export interface Command<N extends ImplementedCommand = ImplementedCommand> {
  id: string
  name: N
  target: Target
  body: CommandBody<N>
  expectedVersion?: string | undefined
  /** Milliseconds; later it is not worth beginning. */
  startBy?: number | undefined
}

/** What came of it. `version` is the aggregate's after the command. */
export interface Outcome {
  data?: JsonObject
  aggregate?: Target
  version?: string
}

export type Handler<N extends ImplementedCommand> = (
  parts: ControlParts,
  actor: Sender,
  order: Command<N>,
) => Promise<Outcome>

/** How the idempotency cache and the rate limit treat a command. */
export interface CommandTraits {
  /** Executing it again is as good as once: its result is not kept (rule K2). */
  isRepeatable?: true
  /** Each connection executes it for itself (decision record 010). */
  isPerConnection?: true
  /** What is charged for its answer beforehand, in bytes. */
  answerBytes: number
}

interface Entry<N extends ImplementedCommand> extends Partial<CommandTraits> {
  status: 'committed' | 'applied'
  handle: Handler<N>
  /**
   * Everybody in the session is notified of its effect, at the sender's expense (rule K18). `charged`: it is never
   * refused for that. Messages have their own rates, what a join costs is known afterwards.
   */
  notifies?: 'limited' | 'charged'
}

/**
 * Where every command goes; one without a handler does not compile. `committed`: its effect outlives the
 * server. `applied`: it took effect.
 */
const table: { [N in ImplementedCommand]: Entry<N> } = {
  'conference.join': {
    status: 'applied',
    handle: conference.join,
    isPerConnection: true,
    answerBytes: SNAPSHOT_ANSWER_BYTES,
  },
  'conference.leave': {
    status: 'applied',
    handle: conference.leave,
    isPerConnection: true,
    notifies: 'charged',
  },
  'conference.end': { status: 'committed', handle: conference.runInSession },
  'conference.set_lock': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'lobby.enter': { status: 'applied', handle: lobby.enterLobby, isPerConnection: true },
  'lobby.leave': { status: 'applied', handle: lobby.leaveLobby, isPerConnection: true },
  'lobby.admit': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'lobby.deny': { status: 'applied', handle: conference.runInSession, notifies: 'limited' },
  'chat.send': { status: 'committed', handle: conference.sendChatMessage },
  'chat.history': {
    status: 'applied',
    handle: conference.runInSession,
    isRepeatable: true,
    answerBytes: CHAT_PAGE_BYTES,
  },
  'chat.set_mode': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'participant.update': { status: 'applied', handle: conference.runInSession, notifies: 'limited' },
  'participant.mute': { status: 'applied', handle: conference.runInSession, notifies: 'limited' },
  'participant.remove': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'participant.readmit': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'media.open': { status: 'applied', handle: media.runMediaCommand, answerBytes: ENDPOINT_ANSWER_BYTES },
  'media.receive': { status: 'applied', handle: media.runMediaCommand },
  'media.restart_ice': { status: 'applied', handle: media.runMediaCommand },
  'media.close': { status: 'applied', handle: media.runMediaCommand, notifies: 'charged' },
  'media.pause': { status: 'applied', handle: media.runMediaCommand, notifies: 'charged' },
  'media.resume': { status: 'applied', handle: media.runMediaCommand, notifies: 'limited' },
  'media.set_layers': { status: 'applied', handle: media.runMediaCommand },
  'media.tap': { status: 'applied', handle: observing.tap, answerBytes: ENDPOINT_ANSWER_BYTES },
  'media.request_key_frame': { status: 'applied', handle: observing.requestKeyFrame, isRepeatable: true },
  'recording.start': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'recording.stop': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'transcription.start': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'transcription.stop': { status: 'committed', handle: conference.runInSession, notifies: 'limited' },
  'job.lease': { status: 'committed', handle: jobs.lease },
  'job.attach': {
    status: 'applied',
    handle: jobs.attach,
    isPerConnection: true,
    answerBytes: SNAPSHOT_ANSWER_BYTES,
  },
  'job.renew': { status: 'committed', handle: jobs.renew, isRepeatable: true },
  'job.progress': { status: 'committed', handle: jobs.progress },
  'job.phrases': { status: 'applied', handle: jobs.phrases, isRepeatable: true },
  'job.finish': { status: 'committed', handle: jobs.finish },
  'job.state': { status: 'applied', handle: jobs.state, isRepeatable: true },
}

/** Also of names that are no command: these are refused as any other command would be. */
export function traitsOf(name: string): CommandTraits {
  const known = isCommandName(name) && isImplemented(name) ? table[name] : {}
  return { answerBytes: MIN_ANSWER_BYTES, ...known }
}

/** A command as it came, checked no further than its envelope. */
export interface UncheckedCommand extends Omit<Command, 'name' | 'body'> {
  name: string
  body: JsonObject
}

/** Checks and carries out a command of either version. Throws what toControlError understands. */
export async function executeCommand(
  parts: ControlParts,
  actor: Sender,
  order: UncheckedCommand,
): Promise<Outcome & { status: 'committed' | 'applied' }> {
  const { name, target, body } = order
  if (!isCommandName(name) || !isImplemented(name))
    throw new Refusal('unknown_command', `There is no command ${name} here.`)
  if (!acceptsTarget(name, target.kind))
    throw new Refusal('invalid_command', `${name} is not aimed at a target of the kind ${target.kind}.`)
  const wrong = findBodyError(name, body)
  if (wrong) throw new Refusal('invalid_command', wrong)
  const { status, handle, notifies } = table[name]
  if (notifies) payNotifications(parts, actor, target, notifies)
  // TypeScript cannot see that the handler and the order are of the same command.
  const outcome = await (handle as unknown as Handler<ImplementedCommand>)(parts, actor, order as Command)
  return { status, ...outcome }
}

function payNotifications(parts: ControlParts, actor: Sender, target: Target, how: 'limited' | 'charged') {
  const { notifications } = parts
  const receivers = receiversIn(parts, actor, target)
  if (how === 'charged') return notifications.charge(actor.login.user, receivers)
  const overBudget = notifications.take(actor.login.user, receivers)
  if (overBudget) throw overBudget
}
