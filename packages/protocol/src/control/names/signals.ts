import { type Static, type TSchema, Type } from 'typebox'
import { lazyCheck } from '../../lazy-check.ts'
import { Nullable } from '../../schema.ts'
import { Id, strict } from '../scalars.ts'
import { inkBody, pointerBody } from './board/signals.ts'
import type { SignalName, signals } from './events.ts'
import { REACTIONS } from './reactions.ts'

/** Names of the signals that clients may send. */
export type ClientSignalName = {
  [N in SignalName]: (typeof signals)[N] extends 'both' ? N : never
}[SignalName]

const share = () => Type.Number({ minimum: 0, maximum: 1 })

/** The bodies of the signals of clients. */
export const signalBodies = {
  'chat.typing': Type.Object({}, { description: 'Fields have no meaning.' }),
  'screen.pointer': Type.Object(
    {
      publication_id: Id,
      position: Nullable(
        Type.Object(
          { x: share(), y: share() },
          { ...strict, description: 'From the upper left corner, as shares of width and height.' },
        ),
      ),
    },
    { ...strict, description: 'Where the presenter points on the shared screen; null: nowhere.' },
  ),
  'reaction.shown': Type.Object({ reaction: Type.Enum([...REACTIONS]) }, strict),
  'board.ink': inkBody,
  'board.pointer': pointerBody,
} satisfies Record<ClientSignalName, TSchema>
export type SignalBody<N extends ClientSignalName> = Static<(typeof signalBodies)[N]>

const checks = new Map(Object.entries(signalBodies).map(([name, schema]) => [name, lazyCheck(schema)]))

/** Whether a client may send this body with this signal. */
export const isSignalBody = (name: ClientSignalName, body: unknown): boolean =>
  checks.get(name)?.Check(body) ?? false
