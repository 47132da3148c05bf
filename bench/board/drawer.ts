import { ControlClient, changeBoard, platformEnvironment, WatchedPage } from '@lectern/control-client'
import { FIRST_PAGE_ID } from '@lectern/protocol/control/client'
import { WebSocket } from 'ws'
import type { Ticket } from '../control/member.ts'

const POINTS = 40

/** The numbers of a stroke as somebody draws it: small differences. */
const points = Array.from({ length: POINTS }, (_, i) =>
  i === 0 ? [5_000, 4_000, 128] : [7, -4, i % 3],
).flat()
export const strokeData = { points, color: '#1a2b3c', width: 3, duration_ms: 600 }

/** A participant without a browser who draws on the first page. */
export class Drawer {
  readonly #client: ControlClient
  readonly #sessionId: string
  readonly #name: string
  #strokes = 0

  private constructor(client: ControlClient, sessionId: string, name: string) {
    this.#client = client
    this.#sessionId = sessionId
    this.#name = name
  }

  static async open(url: string, { tag, token }: Ticket, name: string): Promise<Drawer> {
    const client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async refusal => (refusal ? null : token),
      client: { name: 'bench', version: '1', platform: 'node' },
    })
    client.open()
    const joined = await client.command(
      'conference.join',
      { kind: 'conference', id: tag },
      {},
      { ttlMs: 60_000 },
    )
    return new Drawer(client, joined.conference_session_id, name)
  }

  /** The milliseconds until the stroke is committed. */
  async draw(): Promise<number> {
    const begun = performance.now()
    await changeBoard(this.#client, this.#sessionId, 'board.put', {
      page_id: FIRST_PAGE_ID,
      element_id: `stroke-of-${this.#name}-${++this.#strokes}`,
      version: 1,
      kind: 'stroke',
      data: strokeData,
    })
    return performance.now() - begun
  }

  /** The page, and the milliseconds until its content is there. */
  async watch(): Promise<{ page: WatchedPage; ms: number }> {
    const begun = performance.now()
    const page = new WatchedPage(this.#client, this.#sessionId, FIRST_PAGE_ID)
    await new Promise<void>((resolve, reject) =>
      page.on(change => {
        if (change.is === 'replaced') resolve()
        if (change.is === 'failed') reject(change.failure)
      }),
    )
    return { page, ms: performance.now() - begun }
  }

  close(): void {
    this.#client.close()
  }
}
