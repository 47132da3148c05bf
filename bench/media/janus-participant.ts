import { once } from 'node:events'
import WebSocket from 'ws'
import { ReceiveConnection, SendConnection } from './connection.ts'
import type { Participant } from './participant.ts'

const PING_EVERY_MS = 20_000

interface Jsep {
  type: 'offer' | 'answer'
  sdp: string
}

interface Message {
  janus: string
  transaction?: string
  data?: { id: number }
  plugindata?: { data: Record<string, unknown> & { error?: string } }
  error?: { reason: string }
  jsep?: Jsep
}

/** A Janus session with one handle to send and one to receive. */
class Session {
  readonly #socket: WebSocket
  readonly #waiting = new Map<string, (message: Message) => void>()
  readonly #timer: NodeJS.Timeout
  #id: number | undefined
  #sent = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    this.#timer = setInterval(() => this.#send({ janus: 'keepalive' }), PING_EVERY_MS)
    socket.on('message', data => this.#received(JSON.parse(data.toString())))
  }

  static async open(url: string): Promise<Session> {
    const socket = new WebSocket(url, 'janus-protocol')
    await once(socket, 'open')
    const session = new Session(socket)
    session.#id = (await session.#ask({ janus: 'create' })).data?.id
    return session
  }

  async attach(): Promise<number> {
    const { data } = await this.#ask({ janus: 'attach', plugin: 'janus.plugin.videoroom' })
    return data?.id ?? 0
  }

  async request(handle_id: number, body: object, jsep?: Jsep) {
    const answer = await this.#ask({ janus: 'message', handle_id, body, ...(jsep && { jsep }) })
    return { jsep: answer.jsep, data: answer.plugindata?.data ?? {} }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#send({ janus: 'destroy' })
    this.#socket.close()
  }

  #ask(message: object): Promise<Message> {
    const transaction = `t${++this.#sent}`
    return new Promise((resolve, reject) => {
      this.#waiting.set(transaction, answer => {
        const failure = answer.error?.reason ?? answer.plugindata?.data.error
        if (failure) reject(new Error(`janus: ${failure}`))
        else resolve(answer)
      })
      this.#send({ ...message, transaction })
    })
  }

  #send(message: object): void {
    const session = this.#id === undefined ? {} : { session_id: this.#id }
    this.#socket.send(JSON.stringify({ transaction: 'none', ...session, ...message }))
  }

  #received(message: Message): void {
    if (message.janus === 'ack' || message.transaction === undefined) return // a response follows, or the message is an event
    this.#waiting.get(message.transaction)?.(message)
    this.#waiting.delete(message.transaction)
  }
}

class JanusParticipant implements Participant {
  readonly sending = new SendConnection()
  readonly receiving = new ReceiveConnection()
  readonly #session: Session
  readonly #room: string
  #own: unknown

  constructor(session: Session, room: string) {
    this.#session = session
    this.#room = room
  }

  async publish(): Promise<void> {
    const handle = await this.#session.attach()
    const offer: Jsep = { type: 'offer', sdp: await this.sending.offer() }
    const join = { request: 'joinandconfigure', ptype: 'publisher', room: this.#room }
    const { jsep, data } = await this.#session.request(handle, join, offer)
    this.#own = data.id
    this.sending.answered(jsep?.sdp ?? '')
    await this.sending.connected
  }

  async subscribe(): Promise<void> {
    const handle = await this.#session.attach()
    const list = { request: 'listparticipants', room: this.#room }
    const { participants } = (await this.#session.request(handle, list)).data as {
      participants: { id: string }[]
    }
    const streams = participants.filter(({ id }) => id !== this.#own).map(({ id }) => ({ feed: id }))
    const join = { request: 'join', ptype: 'subscriber', room: this.#room, streams }
    const { jsep } = await this.#session.request(handle, join)
    const answer: Jsep = { type: 'answer', sdp: await this.receiving.answer(jsep?.sdp ?? '') }
    await this.#session.request(handle, { request: 'start' }, answer)
    await this.receiving.connected
  }

  close(): void {
    this.sending.close()
    this.receiving.close()
    this.#session.close()
  }
}

/** Creates the room if it does not exist. */
export async function joinJanus(url: string, room: string): Promise<Participant> {
  const session = await Session.open(url)
  const about = { room, publishers: 100, audiocodec: 'opus', videocodec: 'vp8', transport_wide_cc_ext: false }
  await session.request(await session.attach(), { request: 'create', ...about }).catch(error => {
    if (!/already exists/.test(error.message)) throw error
  })
  return new JanusParticipant(session, room)
}
