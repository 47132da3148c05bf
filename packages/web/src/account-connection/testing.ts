import { Emitter, WritableObservable } from '@lectern/common'
import type { AccountView, CommandOptions, ConnectionState, User } from '@lectern/control-client'
import type { Binding, ControlEvent, JsonObject, Target } from '@lectern/protocol/control/client'
import { AccountConnection, type AccountControl } from './account-connection.ts'

/** A fake control channel of an account: it answers commands at once, with `handlers`. */
class FakeAccountControl {
  readonly state = new WritableObservable<ConnectionState>({ is: 'idle' })
  readonly view = new WritableObservable<AccountView | null>(null)
  readonly commands: { name: string; target: Target; body: JsonObject; options: CommandOptions }[] = []
  handlers: Record<string, (body: JsonObject, target: Target, commandId: string | undefined) => unknown> = {}
  isClosed = false
  readonly #events = new Emitter<ControlEvent>()
  readonly #snapshots = new Emitter<{ streamId: string; state: JsonObject }>()
  readonly #started = new Emitter<Binding>()
  readonly #binding: Binding = {
    deployment_id: 'd',
    tenant_id: 't',
    logical_connection_id: 'c1',
    binding_generation: '1',
  }

  readonly onEvent = (listener: (event: ControlEvent) => void) => this.#events.on(listener)
  readonly onSnapshot = (listener: (snapshot: { streamId: string; state: JsonObject }) => void) =>
    this.#snapshots.on(listener)
  readonly onStart = (listener: (binding: Binding) => void) => this.#started.on(listener)
  readonly account = () => this.view
  readonly open = () => this.ready()
  readonly close = () => {
    this.isClosed = true
    this.state.set({ is: 'ended', reason: { is: 'closed' } })
  }
  readonly online = () => {}
  readonly wake = () => {}
  readonly command = (async (
    name: string,
    target: Target,
    body: JsonObject,
    options: CommandOptions = {},
  ) => {
    this.commands.push({ name, target, body, options })
    return (await this.handlers[name]?.(body, target, options.commandId)) ?? {}
  }) as AccountControl['command']

  ready(capabilities: User['capabilities'] = []): void {
    this.#started.emit(this.#binding)
    const user: User = { user_id: 7, login: 'anna', display_name: 'Anna', kind: 'ordinary', capabilities }
    this.state.set({ is: 'ready', user, binding: this.#binding })
  }

  emit(name: string, body: JsonObject): void {
    this.#events.emit({ name, body, stream_id: 'account:7' } as ControlEvent)
  }

  emitSnapshot(): void {
    this.#snapshots.emit({ streamId: 'account:7', state: {} })
  }

  /** The bodies of all commands with this name. */
  bodies = (name: string) => this.commands.filter(each => each.name === name).map(({ body }) => body)
}

/** The connection of Anna, user 7, with its fake control channel. */
export function createTestConnection(onSignedOut: () => void = () => {}) {
  const control = new FakeAccountControl()
  const user = { userId: 7, login: 'anna', displayName: 'Anna' }
  const connection = new AccountConnection({
    user,
    control: control as AccountControl,
    accessToken: async () => 'token',
    onSignedOut,
  })
  return { control, connection }
}
