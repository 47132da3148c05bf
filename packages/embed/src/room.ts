import {
  type Command,
  type CommandError,
  parseFrameMessage,
  type RoomEvent,
  type ThemeName,
} from './messages.ts'

/** The permissions that the frame needs. */
const ALLOW = 'camera; microphone; autoplay; fullscreen; display-capture'

/** Further commands are refused as `busy` until some are answered. */
const PENDING_MAX = 32

/** Browsers do not report that a page refuses to be in a frame, or does not load. Partners learn it within 10 s. */
const UNREACHABLE_AFTER_MS = 9_000

export type RoomEventName = RoomEvent['name']
export type RoomEventOf<N extends RoomEventName> = Extract<RoomEvent, { name: N }>

/** A command without effect; `code` says why. */
export class LecternCommandError extends Error {
  override name = 'LecternCommandError'
  readonly code: CommandError

  constructor(code: CommandError) {
    super(`The room did not carry out the command: ${code}.`)
    this.code = code
  }
}

interface Pending {
  resolve: () => void
  reject: (error: LecternCommandError) => void
}

export interface LecternRoomOptions {
  /** The signed link of the person, or the plain link of a room. Do not show a personal link to anybody else. */
  link: string
  /** The element to which the frame is appended. */
  container: Element | ShadowRoot
  /** The name of the frame for screen readers. Default: "Video room". */
  title?: string
}

/**
 * A room in a frame. Events come from the frame's own origin only, and commands go to that origin only. A frame that
 * shows no page within 9 s causes the event `error` with the code `unreachable`; others MAY follow if it loads later.
 *
 * Throws a TypeError if the link is no http(s) URL.
 */
export class LecternRoom {
  readonly frame: HTMLIFrameElement
  readonly #origin: string
  readonly #listeners = new Map<RoomEventName, Set<(event: RoomEvent) => void>>()
  readonly #pending = new Map<number, Pending>()
  /** Commands before the frame is ready. */
  #waiting: object[] = []
  /** The theme and the language that were set last: a page that the frame loads later has them, too. */
  readonly #settings = new Map<Command['name'], Command>()
  readonly #timer: ReturnType<typeof setTimeout>
  #isConnected = false
  #isUnreachable = false
  #isClosed = false
  #lastId = 0

  constructor({ link, container, title = 'Video room' }: LecternRoomOptions) {
    const url = URL.canParse(link) ? new URL(link) : null
    if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('The link is not an http(s) URL.')
    this.#origin = url.origin
    const { ownerDocument } = container
    this.frame = ownerDocument.createElement('iframe')
    this.frame.allow = ALLOW
    this.frame.title = title
    this.frame.referrerPolicy = 'no-referrer'
    this.frame.src = url.href
    // Before the frame loads, so that its first message is received.
    window.addEventListener('message', this.#receive)
    container.append(this.frame)
    this.#timer = setTimeout(() => this.#giveUp(), UNREACHABLE_AFTER_MS)
  }

  /** Calls the listener for each event of this name; returns a function that ends that. */
  on<N extends RoomEventName>(name: N, listener: (event: RoomEventOf<N>) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    // An own function for each call, so that the same listener may be added twice.
    const call = (event: RoomEvent) => listener(event as RoomEventOf<N>)
    listeners.add(call)
    return () => void listeners.delete(call)
  }

  /** Turning on asks the person in the frame; rejects with `declined` or `not_permitted`. */
  readonly setMicrophone = (on: boolean): Promise<void> => this.#command({ name: 'set_microphone', on })

  /** Turning on asks the person in the frame; rejects with `declined` or `not_permitted`. */
  readonly setCamera = (on: boolean): Promise<void> => this.#command({ name: 'set_camera', on })

  readonly leave = (): Promise<void> => this.#command({ name: 'leave' })

  readonly setTheme = (theme: ThemeName): Promise<void> => this.#command({ name: 'set_theme', theme })

  /** A language of the pages, such as `ru`; rejects with `unknown_language`. */
  readonly setLanguage = (language: string): Promise<void> =>
    this.#command({ name: 'set_language', language })

  readonly openChat = (): Promise<void> => this.#command({ name: 'open_chat' })

  /** Removes the frame, which leaves the room. Safe to call twice. */
  readonly close = (): void => {
    this.#isClosed = true
    clearTimeout(this.#timer)
    window.removeEventListener('message', this.#receive)
    this.frame.remove()
    this.#rejectAll()
  }

  #command(command: Command): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#isUnreachable) return reject(new LecternCommandError('closed'))
      if (this.#pending.size >= PENDING_MAX) return reject(new LecternCommandError('busy'))
      const id = ++this.#lastId
      this.#pending.set(id, { resolve, reject })
      if (command.name === 'set_theme' || command.name === 'set_language')
        this.#settings.set(command.name, command)
      const message = { lectern: 1, type: 'command', id, command }
      if (this.#isConnected) this.#post(message)
      else this.#waiting.push(message)
    })
  }

  /** Only the frame's own page, of the link's origin, is believed. */
  readonly #receive = ({ source, origin, data }: MessageEvent): void => {
    if (source === null || source !== this.frame.contentWindow || origin !== this.#origin) return
    const message = parseFrameMessage(data)
    if (message?.type === 'ready') this.#connect()
    else if (message?.type === 'event') this.#emit(message.event)
    else if (message?.type === 'result') this.#settle(message.id, message.error)
  }

  /** Also after the frame has loaded another page, which knows nothing of former commands. */
  #connect(): void {
    clearTimeout(this.#timer)
    this.#isUnreachable = false
    if (this.#isConnected) this.#rejectAll()
    this.#isConnected = true
    this.#post({ lectern: 1, type: 'connect' })
    const settings = [...this.#settings.values()]
    const messages =
      this.#waiting.length > 0
        ? this.#waiting.splice(0)
        : settings.map(command => ({ lectern: 1, type: 'command', id: ++this.#lastId, command }))
    for (const message of messages) this.#post(message)
  }

  #giveUp(): void {
    this.#isUnreachable = true
    this.#rejectAll()
    this.#emit({ name: 'error', code: 'unreachable' })
  }

  #post(message: object): void {
    this.frame.contentWindow?.postMessage(message, this.#origin)
  }

  #emit(event: RoomEvent): void {
    for (const listener of [...(this.#listeners.get(event.name) ?? [])]) listener(event)
  }

  #settle(id: number, error: CommandError | null): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error === null) pending?.resolve()
    else pending?.reject(new LecternCommandError(error))
  }

  #rejectAll(): void {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    this.#waiting = []
    for (const each of pending) each.reject(new LecternCommandError('closed'))
  }
}
