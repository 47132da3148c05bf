/** `@lectern/control-client`: the control v2 client for browsers and Node. README.md defines its rules. */

export type { Readable } from '@lectern/common'
export { changeBoard, type PageChange, WatchedPage } from './board.ts'
export { ControlClient, type ControlClientOptions } from './client.ts'
export type { ConnectionState } from './connection.ts'
export {
  type Environment,
  platformEnvironment,
  type WebSocketConstructor,
  type WebSocketLike,
} from './environment.ts'
export { ControlFailure, type FailureCode } from './failure.ts'
export type { User } from './login.ts'
export type { MediaMessage } from './media.ts'
export type { CommandOptions } from './pending-command.ts'
export type { EndReason } from './reconnect-policy.ts'
export type { IncomingSignal, OutgoingSignal } from './signals.ts'
export type { AccountView } from './state/account.ts'
export type { SessionView } from './state/session.ts'
