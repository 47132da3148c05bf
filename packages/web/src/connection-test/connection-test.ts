import { Observable } from '@lectern/common'

/** Routes to the server, best first. */
export const ROUTES = ['udp', 'tcp', 'relay'] as const
export type Route = (typeof ROUTES)[number]

/** Which routes work. Routes that the server does not offer are missing. */
export type RouteResults = Partial<Record<Route, boolean>>

export type ConnectionTestState =
  | { is: 'idle' }
  | { is: 'testing' }
  | { is: 'failed' } // the server could not be reached, so nothing is known
  | { is: 'done'; best: Route | null; results: RouteResults } // null: no route works

/** A test endpoint on the server. */
export interface Target {
  /** The routes that the server offers. */
  routes: readonly Route[]
  /** Whether media can use the route. Settles within a timeout; a rejection counts as no. */
  reach(route: Route): Promise<boolean>
}

/** Finds the best route for media to the server. */
export class ConnectionTest extends Observable<ConnectionTestState> {
  readonly #openTarget: () => Promise<Target>

  constructor(openTarget: () => Promise<Target>) {
    super({ is: 'idle' })
    this.#openTarget = openTarget
  }

  readonly run = async (): Promise<void> => {
    if (this.get().is === 'testing') return
    this.set({ is: 'testing' })
    const target = await this.#openTarget().catch(() => null)
    this.set(target ? await examine(target) : { is: 'failed' })
  }
}

async function examine({ routes, reach }: Target): Promise<ConnectionTestState> {
  const tried = await Promise.all(
    routes.map(async route => [route, await reach(route).catch(() => false)] as const),
  )
  const results: RouteResults = Object.fromEntries(tried)
  return { is: 'done', best: ROUTES.find(route => results[route]) ?? null, results }
}
