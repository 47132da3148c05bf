import type {
  CommandBody,
  CommandData,
  CommandName,
  commandData,
  ImplementedCommand,
  JsonObject,
} from '@lectern/protocol/control/client'

/** What a command takes. */
export type BodyOf<N extends CommandName> = N extends ImplementedCommand ? CommandBody<N> : JsonObject

/** What a command gives; `{}` where the catalogue promises nothing. */
export type DataOf<N extends CommandName> = N extends keyof typeof commandData ? CommandData<N> : JsonObject
