import { ensure, Refusal } from '@lectern/protocol'
import {
  acceptsTarget,
  type CommandName,
  findBodyError,
  isCommandName,
  type JsonObject,
} from '@lectern/protocol/control'
import type { SpanOptions } from '../../platform/tracing.ts'
import { assertInTime } from '../../sessions/command.ts'
import type { ControlParts } from '../ports.ts'
import { isJobId } from '../refusals.ts'
import type { Command, CommandEntry, MemberEntry, Outcome, Sender, SessionEntry } from './command.ts'
import { findMembership, requireMembership } from './memberships.ts'
import { chargeNotifications } from './notifications.ts'
import { commandTable } from './table.ts'

/** A command of which only the envelope was checked. */
export interface UncheckedCommand extends Omit<Command, 'name' | 'body'> {
  name: string
  body: JsonObject
}

type AnyEntry = CommandEntry<CommandName>
type Result = Outcome & { status: 'committed' | 'applied' }

/** Checks and executes a command of either version, in one order. Throws what toControlError understands. */
export async function executeCommand(
  parts: ControlParts,
  sender: Sender,
  unchecked: UncheckedCommand,
): Promise<Result> {
  const command = validate(unchecked)
  // TypeScript cannot see that the entry and the command are of the same name.
  const entry = commandTable[command.name] as AnyEntry
  if (entry.notifications) chargeNotifications(parts, sender, command.target, entry.notifications)
  return parts.tracing.run(`command ${command.name}`, spanOf(command), async () => ({
    status: entry.status,
    ...(await run(parts, sender, command, entry)),
  }))
}

/** The span names targets that are sessions or jobs only: tags of conferences are parts of links. */
const spanOf = ({ name, target: { kind, id } }: Command): SpanOptions => ({
  kind: 'server',
  attributes: {
    'lectern.command': name,
    ...(kind === 'conference_session' && { 'lectern.conference_session_id': id }),
    ...(kind === 'operation' && isJobId(id) && { 'lectern.job_id': id }),
  },
})

function validate(command: UncheckedCommand): Command {
  const { name, target, body } = command
  if (!isCommandName(name)) throw new Refusal('unknown_command', `There is no command ${name} here.`)
  if (!acceptsTarget(name, target.kind))
    throw new Refusal('invalid_command', `${name} is not aimed at a target of the kind ${target.kind}.`)
  const bodyError = findBodyError(name, body)
  if (bodyError) throw new Refusal('invalid_command', bodyError)
  return command as Command
}

function run(parts: ControlParts, sender: Sender, command: Command, entry: AnyEntry): Promise<Outcome> {
  if ('run' in entry) return runInSession(parts, sender, command, entry)
  if (!entry.checksDeadline) assertInTime(parts, command.startBy)
  if (isForMembers(entry)) {
    const { participant } = requireMembership(sender, command.target, entry.access)
    assertVersion(command, parts.registry.get(participant.sessionId)?.version ?? 0)
    return entry.handle(parts, { sender, participant }, command)
  }
  if (!entry.comparesVersion) assertVersion(command, null)
  return entry.handle(parts, sender, command)
}

const isForMembers = (entry: AnyEntry): entry is MemberEntry<CommandName> =>
  entry.access !== 'signed-in' && entry.access !== 'worker'

async function runInSession(
  { participants }: ControlParts,
  sender: Sender,
  { id, target, body, expectedVersion, startBy }: Command,
  { run, findStored }: SessionEntry<CommandName>,
): Promise<Outcome> {
  const membership = findMembership(sender, target)
  const isInside = membership?.kind === 'participant'
  // Stored results are returned to accounts that have left (rule T9).
  if (!isInside && !findStored) throw new Refusal('not_inside')
  const ref = isInside ? membership.participant : { sessionId: Number(target.id), participantId: '' }
  const userId = sender.login.user.id
  const { data, version } = await participants.execute(ref, {
    id,
    userId,
    body,
    expectedVersion,
    startBy,
    run,
    findStored,
  })
  return {
    ...(data !== undefined && { data: data as JsonObject }),
    ...(version !== null && {
      aggregate: { kind: 'conference_session', id: String(ref.sessionId) },
      version: String(version),
    }),
  }
}

/** Rule K6. Null: the target has no version, so that none can be expected. */
function assertVersion({ expectedVersion }: Command, version: number | null): void {
  if (expectedVersion === undefined) return
  ensure(version !== null, 'no_version')
  ensure(expectedVersion === String(version), 'other_version')
}
