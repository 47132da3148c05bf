import { ControlFailure } from '@lectern/control-client'
import type { CallInfo, Target } from '@lectern/protocol/control/client'
import type { AccountConnection } from '../account-connection/account-connection.ts'
import { homePath } from '../address.ts'
import type { Site } from '../site/site.ts'
import type { StartedCalls } from './started-calls.ts'

export type CallSite = Pick<Site, 'go' | 'enterRoom' | 'startedCalls'>
type Connection = Pick<AccountConnection, 'command' | 'user' | 'name'>

/** Why a call could not be started or answered. */
export type CallProblem = 'not_callable' | 'too_many' | 'over' | 'elsewhere' | 'unreachable'

const PROBLEMS: Record<string, CallProblem> = {
  not_callable: 'not_callable',
  conference_not_found: 'over',
  too_many_calls: 'too_many',
  call_over: 'over',
  call_not_found: 'over',
  answered_elsewhere: 'elsewhere',
}

/** Nobody waits longer for a command that rings or answers. */
const COMMAND_WITHIN_MS = 15_000

const target = ({ call_id }: Pick<CallInfo, 'call_id'>): Target => ({ kind: 'operation', id: call_id })
const options = { ttlMs: COMMAND_WITHIN_MS, whenRateLimited: 'fail' } as const

/** Actions of the user on calls. A resolved value says what went wrong; null: nothing. */
export class CallActions {
  readonly #connection: Connection
  readonly #site: CallSite
  readonly #started: StartedCalls

  constructor(connection: Connection, site: CallSite) {
    this.#connection = connection
    this.#site = site
    this.#started = site.startedCalls
  }

  /** Rings these people, and shows the call. */
  start = (userIds: string[], video: boolean): Promise<CallProblem | null> =>
    this.#attempt(async () => {
      const { call } = await this.#connection.command(
        'call.invite',
        { kind: 'operation', id: 'new' },
        { user_ids: userIds, video },
        options,
      )
      // Both have called each other: the call is active already.
      if (call.state === 'active') return this.enter(call, video)
      this.#started.add(call.call_id)
      this.#site.go(homePath('calls', call.call_id))
    })

  /** Rings these people to come into a conference in which the user is. */
  invite = (tag: string, userIds: string[]): Promise<CallProblem | null> =>
    this.#attempt(async () => {
      const body = { user_ids: userIds, video: true }
      await this.#connection.command('call.invite', { kind: 'conference', id: tag }, body, options)
    })

  accept = (call: CallInfo, withCamera: boolean): Promise<CallProblem | null> =>
    this.#attempt(async () => {
      await this.#connection.command('call.accept', target(call), {}, options)
      this.enter(call, withCamera)
    })

  decline = (call: CallInfo): Promise<CallProblem | null> =>
    this.#attempt(async () => {
      await this.#connection.command('call.decline', target(call), {}, options)
    })

  cancel = (call: CallInfo): Promise<CallProblem | null> =>
    this.#attempt(async () => {
      this.#started.remove(call.call_id)
      await this.#connection.command('call.cancel', target(call), {}, options)
    })

  hangUp = (callId: string): Promise<CallProblem | null> =>
    this.#attempt(async () => {
      await this.#connection.command('call.leave', target({ call_id: callId }), {}, options)
    })

  /** Enters the call with the microphone on, whatever the page shows, and with the camera if it is wanted. */
  enter = (call: CallInfo, withCamera: boolean): void => {
    this.#started.remove(call.call_id)
    const { user, name } = this.#connection
    this.#site.enterRoom({
      tag: call.conference_tag,
      displayName: name,
      userId: user.userId,
      microphone: true,
      camera: withCamera,
    })
  }

  async #attempt(act: () => Promise<void>): Promise<CallProblem | null> {
    try {
      await act()
      return null
    } catch (error) {
      return problemOf(error)
    }
  }
}

function problemOf(error: unknown): CallProblem {
  if (!(error instanceof ControlFailure)) return 'unreachable'
  if (error.code === 'rate_limited' || error.code === 'resource_exhausted') return 'too_many'
  return PROBLEMS[error.reason ?? ''] ?? 'unreachable'
}
