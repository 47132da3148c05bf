import type { Page, WebSocketRoute } from 'playwright-core'
import { waitFor } from './wait.ts'

interface Target {
  kind: string
  id: string
}

interface Result {
  command_id: string
  status: string
  error?: { code: string; message?: string }
  data?: Record<string, unknown>
}

/** Sends forged command frames on the control connection of a page. */
export class FrameForger {
  readonly #frames: string[] = []
  readonly #results = new Map<string, Result>()
  #server: WebSocketRoute | null = null
  #binding: object | null = null
  #join: Record<string, string> = {}
  #conference = ''

  /** MUST be called before the page is opened. */
  static async attach(page: Page): Promise<FrameForger> {
    const forger = new FrameForger()
    await page.routeWebSocket(/control$/, socket => forger.#intercept(socket))
    return forger
  }

  get conference(): Target {
    return { kind: 'conference', id: this.#conference }
  }

  get session(): Target {
    return { kind: 'conference_session', id: this.#join.conference_session_id ?? '' }
  }

  /** The ids of another participant and of one of their publications. */
  get victim(): { participant: string; publication: string } {
    const ids = (name: string) =>
      [...this.#frames.join().matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, id]) => id)
    const participant = ids('participant_id').find(id => id && id !== this.#join.participant_id)
    const publication = this.#frames
      .join()
      .match(new RegExp(`"publication_id":"([^"]+)","participant_id":"${participant}"`))?.[1]
    if (!participant || !publication) throw new Error('There is no other participant.')
    return { participant, publication }
  }

  async command(target: object, name: string, body: object): Promise<Result> {
    const command_id = crypto.randomUUID()
    const command = { binding: this.#binding, command_id, target, name, body, ttl_ms: 5_000 }
    this.#server?.send(JSON.stringify({ control_command: command }))
    return waitFor(() => this.#results.get(command_id), `${name} is answered`)
  }

  #intercept(socket: WebSocketRoute): void {
    const server = socket.connectToServer()
    this.#server = server
    socket.onMessage(frame => {
      const { control_command: command } = JSON.parse(String(frame))
      if (command?.name === 'conference.join') this.#conference = command.target.id
      server.send(frame)
    })
    server.onMessage(frame => {
      this.#onFrame(String(frame))
      socket.send(frame)
    })
  }

  #onFrame(frame: string): void {
    this.#frames.push(frame)
    const { control_result: result } = JSON.parse(frame)
    if (!result) return
    this.#binding = result.binding
    if (result.data?.participant_id) this.#join = result.data
    if (result.status !== 'received') this.#results.set(result.command_id, result)
  }
}
