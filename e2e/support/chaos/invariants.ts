import type { Page } from 'playwright-core'

/** A row of an open or ended session, as the store has it. */
export interface SessionRow {
  id: number
  tag: string
  incarnation: number
  /** The server that owns it; null: none, or a single server. */
  owner: string | null
}

/**
 * Checks while a deployment fails what MUST hold at every moment: epochs, sequence numbers, route generations and
 * incarnations never go backwards, and an incarnation of a session has one owner.
 */
export class Invariants {
  readonly violations: string[] = []
  readonly #latest = new Map<string, bigint>()
  readonly #owners = new Map<string, string>()
  #clients = 0
  observations = 0

  /** Returns the function that checks the frames of one client. */
  client(): (frame: string) => void {
    const client = `client ${++this.#clients}`
    return frame => this.#frame(client, frame)
  }

  page(page: Page): void {
    const onFrame = this.client()
    page.on('websocket', socket => socket.on('framereceived', ({ payload }) => onFrame(String(payload))))
  }

  session({ id, incarnation, owner }: SessionRow): void {
    this.#neverFalls(`incarnation of session ${id}`, BigInt(incarnation))
    if (owner === null) return
    const key = `incarnation ${incarnation} of session ${id}`
    const known = this.#owners.get(key)
    if (known !== undefined && known !== owner)
      this.violations.push(`${key} is owned by ${owner} after ${known}`)
    this.#owners.set(key, owner)
  }

  #frame(client: string, text: string): void {
    const { control_event: event, control_sync_result: result } = JSON.parse(text)
    if (event) {
      const stream = `${client}, ${event.stream_id}`
      // The sequence number counts within an epoch.
      this.#neverFalls(stream, (BigInt(event.stream_epoch) << 64n) + BigInt(event.seq))
      const { kind, id } = event.aggregate
      this.#neverFalls(`version of ${kind} ${id} in ${stream}`, BigInt(event.aggregate_version))
      const generation = event.name === 'media.moved' && event.body?.route_generation
      if (generation) this.#neverFalls(`route of ${stream}`, BigInt(generation))
    }
    for (const { stream_id, stream_epoch } of result?.streams ?? [])
      this.#neverFalls(`epoch of ${client}, ${stream_id}`, BigInt(stream_epoch))
  }

  #neverFalls(key: string, value: bigint): void {
    this.observations++
    const latest = this.#latest.get(key) ?? value
    if (value < latest) this.violations.push(`${key} fell from ${latest} to ${value}`)
    else this.#latest.set(key, value)
  }
}
