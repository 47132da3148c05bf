import type { ControlCommand, ControlError } from '@lectern/protocol/control'
import type { Connection } from './connection.ts'
import { dispatch, type Outcome } from './dispatch.ts'
import { LONG_WORK_MS, MAX_INFLIGHT } from './limits.ts'
import type { ControlParts } from './ports.ts'
import { isTransient, toControlError } from './refusals.ts'
import { fingerprintOf, Results } from './results.ts'

/** These belong to a connection and not to a person: on another connection they are done again. */
const OF_CONNECTION = new Set(['conference.join', 'conference.leave', 'job.attach'])

interface Running {
  connection: Connection
  commandId: string
  sinceMs: number
}

/** Every v2 command from its arrival to its result (contract §2.9 rule 1; rules K1 to K9). */
export class Commands {
  readonly #parts: ControlParts
  readonly #results: Results
  readonly #running = new Set<Running>()

  constructor(parts: ControlParts) {
    this.#parts = parts
    this.#results = new Results(parts.clock)
  }

  get inFlight(): number {
    return this.#running.size
  }

  async receive(connection: Connection, command: ControlCommand): Promise<void> {
    const { command_id, name, binding } = command
    const reply = (tail: string) => connection.tell('control_result', tail)
    const reject = (error: ControlError) => reply(refused(command_id, error))
    if (!connection.isCurrent(binding)) return reject({ code: 'stale_binding' })

    const scope = OF_CONNECTION.has(name) ? connection.id : connection.login.user.id
    const key = `${scope} ${command_id}`
    const fingerprint = fingerprintOf(command)
    const known = this.#results.find(key)
    if (known && known.fingerprint !== fingerprint) return reject({ code: 'idempotency_conflict' })
    if (!known && connection.inFlight >= MAX_INFLIGHT)
      return reject({ code: 'resource_exhausted', message: 'Too many commands are under way.' })

    const answer = known?.answer ?? this.#begin(connection, command, key)
    if (!known) this.#results.remember(key, fingerprint, answer)
    connection.awaited.add(command_id)
    reply(await answer)
    connection.awaited.delete(command_id)
  }

  /** Tells who waits long that the command has come. To be called every second or so. */
  tick(): void {
    this.#results.tick()
    const since = this.#parts.clock() - LONG_WORK_MS
    for (const { connection, commandId, sinceMs } of this.#running)
      if (sinceMs <= since) connection.tell('control_result', withStatus(commandId, 'received'))
  }

  async #begin(connection: Connection, command: ControlCommand, key: string): Promise<string> {
    const running = { connection, commandId: command.command_id, sinceMs: this.#parts.clock() }
    this.#running.add(running)
    connection.inFlight += 1
    try {
      return await this.#execute(connection, command)
    } catch (cause) {
      const error = toControlError(cause, this.#parts.log)
      if (isTransient(error)) this.#results.forget(key)
      return refused(command.command_id, error)
    } finally {
      this.#running.delete(running)
      connection.inFlight -= 1
    }
  }

  async #execute(
    connection: Connection,
    { command_id, name, target, body, ttl_ms, expected_version }: ControlCommand,
  ): Promise<string> {
    const { status, data, aggregate, version } = await dispatch(this.#parts, connection, {
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
