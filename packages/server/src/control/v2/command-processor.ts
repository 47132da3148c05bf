import { Refusal } from '@lectern/protocol'
import type { ControlCommand, ControlError } from '@lectern/protocol/control'
import type { Idempotency } from '../commands/command.ts'
import { executeCommand } from '../commands/executor.ts'
import { traitsOf } from '../commands/table.ts'
import { MAX_INFLIGHT, PROGRESS_AFTER_MS } from '../limits/constants.ts'
import type { ControlParts } from '../ports.ts'
import { commandLogFields, controlError, isTransient, toControlError } from '../refusals.ts'
import type { Connection } from './connection.ts'
import { encodeResult, encodeTail } from './envelopes.ts'
import { type Answer, fingerprintOf, IdempotencyCache } from './idempotency-cache.ts'

interface Running {
  connection: Connection
  commandId: string
  sinceMs: number
}

/** Every v2 command from its arrival to its result (rule ENV-1; rules K1 to K15). */
export class CommandProcessor {
  readonly #parts: ControlParts
  readonly #cache: IdempotencyCache
  readonly #running = new Set<Running>()

  constructor(parts: ControlParts) {
    this.#parts = parts
    this.#cache = new IdempotencyCache(parts.monotonicMs, parts.resultLimits)
  }

  get inFlight(): number {
    return this.#running.size
  }

  /** The deadline of a command counts from the arrival of its frame (rule K7). */
  async receive(connection: Connection, command: ControlCommand, arrivedAtMs: number): Promise<void> {
    const { command_id: commandId, name, binding } = command
    const reply = (tail: string) => connection.send('control_result', tail)
    const reject = (error: ControlError) => reply(refused(commandId, error))
    if (!connection.isCurrent(binding)) return reject({ code: 'stale_binding' })

    const { user } = connection.login
    const { answerBytes, ...traits } = traitsOf(name)
    // A condition is met once: its repetition would be refused.
    const isConditional = traits.idempotency === 'sets-state' && command.expected_version !== undefined
    const idempotency = isConditional ? 'cached' : traits.idempotency
    const overBudget = this.#parts.answers.take(user, answerBytes)
    if (overBudget) return reject(controlError(overBudget))

    const scope = idempotency === 'per-connection' ? connection.id : ''
    const key = { userId: user.id, commandId, fingerprint: fingerprintOf(command), scope }
    const known = this.#cache.find(key)
    if (known === 'conflict') return reject({ code: 'idempotency_conflict' })
    const refusal = known ? null : this.#refusal(connection, idempotency)
    if (refusal) return reject(refusal)

    const answer = known ?? this.#begin(connection, command, arrivedAtMs + command.ttl_ms)
    if (!known && isRepeatable(idempotency)) this.#cache.rememberId(key)
    else if (!known) this.#cache.remember(key, answer)
    connection.unansweredCommands.add(commandId)
    const { text } = await answer
    this.#parts.answers.charge(user, Buffer.byteLength(text) - answerBytes)
    reply(text)
    connection.unansweredCommands.delete(commandId)
  }

  /** Confirms the arrival of commands that take long (rule K9). MUST be called about every second. */
  tick(): void {
    this.#cache.tick()
    const since = this.#parts.monotonicMs() - PROGRESS_AFTER_MS
    for (const { connection, commandId, sinceMs } of this.#running)
      if (sinceMs <= since) connection.send('control_result', encodeResult(commandId, 'received'))
  }

  /** Null when a new command can begin. */
  #refusal({ inFlight, login }: Connection, idempotency: Idempotency): ControlError | null {
    if (inFlight >= MAX_INFLIGHT) return controlError(new Refusal('too_many_commands_in_flight'))
    return isRepeatable(idempotency) ? null : this.#cache.refusal(login.user.id, login.user.kind)
  }

  async #begin(connection: Connection, command: ControlCommand, startBy: number): Promise<Answer> {
    const running = { connection, commandId: command.command_id, sinceMs: this.#parts.monotonicMs() }
    this.#running.add(running)
    connection.inFlight += 1
    try {
      return { text: await this.#execute(connection, command, startBy), remember: 'result' }
    } catch (cause) {
      const { command_id: id, name, target } = command
      const error = toControlError(cause, this.#parts.log, commandLogFields({ id, name, target }))
      return { text: refused(command.command_id, error), remember: rememberedOf(error) }
    } finally {
      this.#running.delete(running)
      connection.inFlight -= 1
    }
  }

  async #execute(
    connection: Connection,
    { command_id, name, target, body, expected_version }: ControlCommand,
    startBy: number,
  ): Promise<string> {
    const { status, data, aggregate, version } = await executeCommand(this.#parts, connection, {
      id: command_id,
      name,
      target,
      body,
      expectedVersion: expected_version,
      startBy,
    })
    return encodeResult(command_id, status, { data, aggregate, version })
  }
}

const isRepeatable = (idempotency: Idempotency) =>
  idempotency === 'repeatable' || idempotency === 'sets-state'

function refused(command_id: string, error: ControlError): string {
  const status = error.code === 'outcome_unknown' ? 'outcome_unknown' : 'rejected'
  return encodeTail({ command_id, status, error })
}

/** After `outcome_unknown` the id stays taken, for the command may have taken effect; transient errors are forgotten (rule K4). */
function rememberedOf(error: ControlError): Answer['remember'] {
  if (error.code === 'outcome_unknown') return 'id'
  return isTransient(error) ? 'nothing' : 'result'
}
