import { Observable } from '@lectern/common'

/** The ways to the server, the best first. */
export const ROUTES = ['udp', 'tcp', 'relay'] as const
export type Route = (typeof ROUTES)[number]

/** Which ways are open. One that the server does not offer is missing. */
export type RouteResults = Partial<Record<Route, boolean>>

export type ConnectionTestState =
  | { is: 'idle' }
  | { is: 'testing' }
  | { is: 'failed' } // the server could not be asked, so nothing was found out
  | { is: 'done'; best: Route | null; results: RouteResults } // null: no way, calls cannot work from here

/** Something on the server that waits to be reached. */
export interface Target {
  /** Those that the server offers. */
  routes: readonly Route[]
  /** Whether media gets through one way. Settles by itself; a rejection counts as no. */
  reach(way: Route): Promise<boolean>
}

/** Finds the best way over which sound and picture reach the server. */
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
    routes.map(async way => [way, await reach(way).catch(() => false)] as const),
  )
  const findings: RouteResults = Object.fromEntries(tried)
  return { is: 'done', best: ROUTES.find(way => findings[way]) ?? null, results: findings }
}
