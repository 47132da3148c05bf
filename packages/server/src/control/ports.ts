import type { Logger } from 'pino'
import type { User } from '../accounts/ports.ts'
import type { Clock } from '../clock.ts'
import type { Conferences } from '../conference/conferences.ts'
import type { Admission } from '../hooks.ts'
import type { Streams } from './streams.ts'

/** A connection to a client, as the engine needs it: a WebSocket, or a pair that a test flushes by hand. */
export interface Socket {
  /** Bytes that are not on their way yet. */
  readonly bufferedAmount: number
  send(frame: string): void
  ping(): void
  close(code: number, reason: string): void
  /** At once, without a word. */
  terminate(): void
}

/** What a socket tells its owner. */
export interface SocketEvents {
  /** `null` for a frame that is not text. */
  received(frame: Uint8Array | string | null): void
  /** A ping or a pong. */
  heard(): void
  closed(code: number): void
}

/** Who signed in on a connection, and what the join token of the login gives (contract §2.2 rules 2 and 3). */
export interface Login {
  user: User
  authSessionId: string
  admission: Admission | null
}

/** Who people are and where their links lead. Everything here throws a Refusal. */
export interface Door {
  login(accessToken: string, joinToken: string | undefined): Promise<Login>
  /** Whether the sign-in still holds. */
  check(authSessionId: string): Promise<void>
}

export interface ControlParts {
  door: Door
  conferences: Conferences
  streams: Streams
  clock: Clock
  log: Logger
  deploymentId: string
  /** How long a conference waits for who lost the connection. */
  graceMs: number
  /** Frames of a connection per minute; null: as many as it likes. */
  framesPerMinute: number | null
}
