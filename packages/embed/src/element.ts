import type { ThemeName } from './messages.ts'
import { LecternRoom, type RoomEventName } from './room.ts'

const EVENTS: RoomEventName[] = ['joined', 'participants', 'recording', 'devices', 'left', 'ended', 'error']

/**
 * `<lectern-room src="…" theme="dark" language="ru">`: a room in a frame that fills the element. Each event of the room is
 * a CustomEvent of the same name, whose `detail` is the event. Changing `src` opens another room.
 */
export class LecternRoomElement extends HTMLElement {
  static readonly observedAttributes: string[] = ['src', 'theme', 'language']
  #room: LecternRoom | null = null

  /** The room; null while the element is not in a document or has no valid `src`. */
  get room(): LecternRoom | null {
    return this.#room
  }

  connectedCallback(): void {
    this.#open()
  }

  disconnectedCallback(): void {
    this.#close()
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (!this.isConnected || before === value) return
    if (name === 'src') this.#open()
    else this.#apply(name, value)
  }

  #open(): void {
    this.#close()
    const link = this.getAttribute('src')
    if (!link) return
    const root = this.shadowRoot ?? this.#attach()
    try {
      this.#room = new LecternRoom({ link, container: root, ...(this.title && { title: this.title }) })
    } catch {
      this.#dispatch('error', { name: 'error', code: 'invalid_link' })
      return
    }
    for (const name of EVENTS) this.#room.on(name, event => this.#dispatch(name, event))
    for (const name of ['theme', 'language']) this.#apply(name, this.getAttribute(name))
  }

  #attach(): ShadowRoot {
    const root = this.attachShadow({ mode: 'open' })
    const style = new CSSStyleSheet()
    style.replaceSync(
      ':host { display: block; aspect-ratio: 16 / 9; min-height: min(576px, 100dvh) } iframe { width: 100%; height: 100%; border: 0 }',
    )
    root.adoptedStyleSheets = [style]
    return root
  }

  #close(): void {
    this.#room?.close()
    this.#room = null
  }

  /** An attribute that the room does not know changes nothing, as in HTML. */
  #apply(name: string, value: string | null): void {
    if (!this.#room || value === null) return
    const done = name === 'theme' ? this.#room.setTheme(value as ThemeName) : this.#room.setLanguage(value)
    done.catch(() => {})
  }

  #dispatch(name: RoomEventName, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }))
  }
}

customElements.define('lectern-room', LecternRoomElement)
