import { Observable } from '../observable.ts'

/** The ways to the server, the best first. */
export const WAYS = ['udp', 'tcp', 'relay'] as const
export type Way = (typeof WAYS)[number]

/** Which ways are open. One that the server does not offer is missing. */
export type Findings = Partial<Record<Way, boolean>>

export type ConnectionTestState =
  | { is: 'idle' }
  | { is: 'testing' }
  | { is: 'failed' } // the server could not be asked, so nothing was found out
  | { is: 'done'; best: Way | null; findings: Findings } // null: no way, calls cannot work from here

/** Something on the server that waits to be reached. */
export interface Target {
  /** Those that the server offers. */
  ways: readonly Way[]
  /** Whether media gets through one way. Settles by itself; a rejection counts as no. */
  reach(way: Way): Promise<boolean>
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

async function examine({ ways, reach }: Target): Promise<ConnectionTestState> {
  const tried = await Promise.all(ways.map(async way => [way, await reach(way).catch(() => false)] as const))
  const findings: Findings = Object.fromEntries(tried)
  return { is: 'done', best: WAYS.find(way => findings[way]) ?? null, findings }
}
