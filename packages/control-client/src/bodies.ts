import type {
  CommandBody,
  CommandData,
  CommandName,
  commandData,
  ImplementedCommand,
  JsonObject,
} from '@lectern/protocol/control/client'

/** The body of a command. */
export type BodyOf<N extends CommandName> = N extends ImplementedCommand ? CommandBody<N> : JsonObject

/** The data of a result; `{}` where the catalogue defines none. */
export type DataOf<N extends CommandName> = N extends keyof typeof commandData ? CommandData<N> : JsonObject
