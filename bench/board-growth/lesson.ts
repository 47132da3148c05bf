import { setTimeout as sleep } from 'node:timers/promises'
import { ControlClient, changeBoard, platformEnvironment, WatchedPage } from '@lectern/control-client'
import { FIRST_PAGE_ID, INK_NUMBERS_MAX, POINT_NUMBERS } from '@lectern/protocol/control/client'
import { WebSocket } from 'ws'

/** As browsers draw and send ink. */
const POINT_MS = 16
const INK_MS = 100
const REPEATED_AFTER_MS = 2_000
const INK_POINTS = INK_NUMBERS_MAX / POINT_NUMBERS

/** A line from left to right. */
export const [LEFT, RIGHT] = [100, 1_500]
export const LINE_WIDTH = 20

/** How far a line had come when a participant saw that, in units and Unix milliseconds. */
export type Seen = [x: number, atMs: number][]

/** A participant without a browser, by a signed link. */
export class Participant {
  readonly #client: ControlClient
  readonly #session: string
  readonly #id: string

  private constructor(client: ControlClient, session: string, id: string) {
    this.#client = client
    this.#session = session
    this.#id = id
  }

  static async enter(url: string, tag: string, link: string): Promise<Participant> {
    const answer = await fetch(link.replace('/j/', '/api/v1/integration/join/'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    const client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async refusal => (refusal ? null : access_token),
      client: { name: 'bench', version: '1', platform: 'node' },
      joinToken: link.slice(link.lastIndexOf('/') + 1),
    })
    client.open()
    const target = { kind: 'conference', id: tag } as const
    const joined = await client.command('conference.join', target, {}, { ttlMs: 60_000 })
    return new Participant(client, joined.conference_session_id, joined.participant_id)
  }

  async show(): Promise<void> {
    const target = { kind: 'conference_session', id: this.#session } as const
    await this.#client.command('board.page_show', target, { page_id: FIRST_PAGE_ID })
  }

  async isRecorded(): Promise<void> {
    while (!this.#client.session(this.#session).get()?.recording) await sleep(50)
  }

  /** What of the lines is seen here, by element. */
  async watch(): Promise<{ page: WatchedPage; seen: Map<string, Seen> }> {
    const page = new WatchedPage(this.#client, this.#session, FIRST_PAGE_ID)
    const seen = new Map<string, Seen>()
    const note = (id: string, x: number) => seen.set(id, [...(seen.get(id) ?? []), [x, Date.now()]])
    page.on(change => {
      if (change.is === 'changed') for (const id of change.elementIds) note(id, RIGHT)
    })
    this.#client.onSignal(({ streamId, name, body }) => {
      if (streamId !== page.streamId || name !== 'board.ink') return
      const { element_id, points } = body as { element_id: string; points: number[] }
      const last = points.reduce((x, each, at) => (at % POINT_NUMBERS === 0 ? x + each : x), 0)
      note(element_id, last / 10)
    })
    while (!page.isComplete) await sleep(10)
    return { page, seen }
  }

  /** Draws a line in that time, as somebody who explains meanwhile: fast, slowly, and resting. */
  async draw(page: WatchedPage, id: string, y: number, ms: number, random: () => number): Promise<void> {
    const points: number[][] = [[10 * LEFT, 10 * y, 0]]
    const places = paces(ms, random)
    const begun = Date.now()
    let [sent, sentAtMs] = [0, 0]
    const send = () => {
      const isResting = sent === points.length
      if (Date.now() - sentAtMs < (isResting ? REPEATED_AFTER_MS : INK_MS)) return
      const first_index = isResting ? sent - 1 : sent
      const part = points.slice(first_index, first_index + INK_POINTS)
      const body = { element_id: id, kind: 'stroke', color: '#101010', width: LINE_WIDTH, first_index }
      this.#client.sendSignal({
        ...{ streamId: page.streamId, sourceId: this.#id, name: 'board.ink', ttlMs: 2_000 },
        body: { ...body, points: differences(part) },
      })
      sent = first_index + part.length
      sentAtMs = Date.now()
    }
    while (Date.now() - begun < ms) {
      await sleep(POINT_MS)
      const x = Math.round(10 * (LEFT + (RIGHT - LEFT) * places(Math.min((Date.now() - begun) / ms, 1))))
      if (x !== points.at(-1)?.[0]) points.push([x, 10 * y, 0])
      send()
    }
    points.push([10 * RIGHT, 10 * y, 0])
    await changeBoard(this.#client, this.#session, 'board.put', {
      ...{ page_id: FIRST_PAGE_ID, element_id: id, version: 1, kind: 'stroke' },
      data: { points: differences(points), color: '#101010', width: LINE_WIDTH, duration_ms: ms },
    })
  }

  leave(): void {
    this.#client.close()
  }
}

/** The part of the way after a part of the time. Two of five parts are a rest. */
function paces(ms: number, random: () => number): (time: number) => number {
  const count = Math.max(Math.round(ms / 1_000), 2)
  const steps = Array.from({ length: count }, () => (random() < 0.4 ? 0 : random() ** 2))
  const all = steps.reduce((sum, each) => sum + each, 0) || 1
  return time => {
    const whole = Math.floor(time * count)
    const before = steps.slice(0, whole).reduce((sum, each) => sum + each, 0)
    return (before + (steps[whole] ?? 0) * (time * count - whole)) / all
  }
}

const differences = (points: readonly number[][]): number[] =>
  points.flatMap((point, at) => point.map((value, part) => value - (points[at - 1]?.[part] ?? 0)))
