import type {
  CommandBody,
  CommandData,
  CommandName,
  commandData,
  JsonObject,
} from '@lectern/protocol/control/client'

/** The body of a command. */
export type BodyOf<N extends CommandName> = CommandBody<N>

/** The data of a result; `{}` where the catalogue defines none. */
export type DataOf<N extends CommandName> = N extends keyof typeof commandData ? CommandData<N> : JsonObject
