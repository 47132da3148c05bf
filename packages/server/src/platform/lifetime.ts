import { Lifetime as CommonLifetime } from '@lectern/common'
import type { Logger } from 'pino'

/** A lifetime that logs, by its name, a resource that does not close. */
export class Lifetime extends CommonLifetime {
  constructor(log: Logger) {
    super((error, resource) => log.error({ err: error, resource }, 'a resource could not be closed'))
  }

  own<T>(name: string, resource: T, close: (resource: T) => unknown): T {
    return this.adopt(resource, close, name)
  }
}
