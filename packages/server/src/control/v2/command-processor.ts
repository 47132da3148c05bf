import { Refusal } from '@lectern/protocol'
import type { ControlCommand, ControlError } from '@lectern/protocol/control'
import { type CommandTraits, executeCommand, type Outcome, traitsOf } from '../commands/table.ts'
import { MAX_INFLIGHT, PROGRESS_AFTER_MS } from '../limits/constants.ts'
import type { ControlParts } from '../ports.ts'
import { controlError, isTransient, toControlError } from '../refusals.ts'
import type { Connection } from './connection.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type Answer, IdempotencyCache } from './idempotency-cache.ts'

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
    this.#cache = new IdempotencyCache(parts.clock)
  }

  get inFlight(): number {
    return this.#running.size
  }

  async receive(connection: Connection, command: ControlCommand): Promise<void> {
    const { command_id: commandId, name, binding } = command
    const reply = (tail: string) => connection.send('control_result', tail)
    const reject = (error: ControlError) => reply(refused(commandId, error))
    if (!connection.isCurrent(binding)) return reject({ code: 'stale_binding' })

    const { user } = connection.login
    const traits = traitsOf(name)
    const overBudget = this.#parts.answers.take(user, traits.answerBytes)
    if (overBudget) return reject(overBudget)

    const scope = traits.isPerConnection ? connection.id : ''
    const key = { userId: user.id, commandId, fingerprint: fingerprintOf(command), scope }
    const known = this.#cache.find(key)
    if (known === 'conflict') return reject({ code: 'idempotency_conflict' })
    const refusal = known ? null : this.#refusal(connection, traits)
    if (refusal) return reject(refusal)

    const answer = known ?? this.#begin(connection, command)
    if (!known && traits.isRepeatable) this.#cache.rememberId(key)
    else if (!known) this.#cache.remember(key, answer, traits.answerBytes)
    connection.unansweredCommands.add(commandId)
    const { text } = await answer
    this.#parts.answers.charge(user, Buffer.byteLength(text) - traits.answerBytes)
    reply(text)
    connection.unansweredCommands.delete(commandId)
  }

  /** Tells who waits long that the command has come. To be called every second or so. */
  tick(): void {
    this.#cache.tick()
    const since = this.#parts.clock() - PROGRESS_AFTER_MS
    for (const { connection, commandId, sinceMs } of this.#running)
      if (sinceMs <= since) connection.send('control_result', withStatus(commandId, 'received'))
  }

  /** Why a new command cannot begin; null: it can. */
  #refusal({ inFlight, login }: Connection, { isRepeatable }: CommandTraits): ControlError | null {
    if (inFlight >= MAX_INFLIGHT) return controlError(new Refusal('too_many_commands_in_flight'))
    return isRepeatable ? null : this.#cache.refusal(login.user.id, login.user.kind)
  }

  async #begin(connection: Connection, command: ControlCommand): Promise<Answer> {
    const running = { connection, commandId: command.command_id, sinceMs: this.#parts.clock() }
    this.#running.add(running)
    connection.inFlight += 1
    try {
      return { text: await this.#execute(connection, command), remember: 'result' }
    } catch (cause) {
      const error = toControlError(cause, this.#parts.log)
      return { text: refused(command.command_id, error), remember: rememberedOf(error) }
    } finally {
      this.#running.delete(running)
      connection.inFlight -= 1
    }
  }

  async #execute(
    connection: Connection,
    { command_id, name, target, body, ttl_ms, expected_version }: ControlCommand,
  ): Promise<string> {
    const { status, data, aggregate, version } = await executeCommand(this.#parts, connection, {
      id: command_id,
      name,
      target,
      body,
      expectedVersion: expected_version,
      startBy: this.#parts.clock() + ttl_ms,
    })
    return withStatus(command_id, status, { data, aggregate, version })
  }
}

function withStatus(command_id: string, status: string, { data, aggregate, version }: Outcome = {}): string {
  const rest = { command_id, status, aggregate, aggregate_version: version, data }
  return JSON.stringify(rest).slice(1)
}

function refused(command_id: string, error: ControlError): string {
  const status = error.code === 'outcome_unknown' ? 'outcome_unknown' : 'rejected'
  return JSON.stringify({ command_id, status, error }).slice(1)
}

/** It may have taken effect, so the id stays taken; of what passes by itself nothing is remembered (rule K4). */
function rememberedOf(error: ControlError): Answer['remember'] {
  if (error.code === 'outcome_unknown') return 'id'
  return isTransient(error) ? 'nothing' : 'result'
}
