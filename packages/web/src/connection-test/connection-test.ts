import { Observable } from '../observable.ts'

/** The ways to the server, the best first. */
export const WAYS = ['udp', 'tcp', 'relay'] as const
export type Way = (typeof WAYS)[number]

export type ConnectionTestState = { is: 'idle' } | { is: 'testing' } | { is: 'done'; best: Way | null } // null: no way, calls cannot work from here

/** Whether media gets through one way. Settles by itself; a rejection counts as no. */
export type Probe = (way: Way) => Promise<boolean>

/** Finds the best way over which sound and picture reach the server. */
export class ConnectionTest extends Observable<ConnectionTestState> {
  readonly #probe: Probe

  constructor(probe: Probe) {
    super({ is: 'idle' })
    this.#probe = probe
  }

  readonly run = async (): Promise<void> => {
    if (this.get().is === 'testing') return
    this.set({ is: 'testing' })
    const open = await Promise.all(WAYS.map(way => this.#probe(way).catch(() => false)))
    this.set({ is: 'done', best: WAYS.find((_, index) => open[index]) ?? null })
  }
}
