import unreadIcon from '../ui/favicon-unread.svg'

/**
 * The title and the icon of the tab: the title of the page, the number of unread conversations, what has happened in
 * the room while the tab was hidden, and a call that is ringing, which replaces the title.
 */
class DocumentTitle {
  #page = 'Lectern'
  #unread = 0
  #notice: string | null = null
  #alert: string | null = null

  /** MUST NOT contain any part of the URL, which may be secret. */
  readonly setPage = (title: string): void => {
    this.#page = title
    this.#apply()
  }

  readonly setUnread = (count: number): void => {
    this.#unread = count
    this.#apply()
  }

  /** Precedes the title of the page. Null: nothing has happened. */
  readonly setNotice = (text: string | null): void => {
    this.#notice = text
    this.#apply()
  }

  /** Null: nothing is urgent. */
  readonly setAlert = (text: string | null): void => {
    this.#alert = text
    this.#apply()
  }

  #apply(): void {
    const count = this.#unread > 0 ? `(${this.#unread > 99 ? '99+' : this.#unread}) ` : ''
    const notice = this.#notice === null ? '' : `${this.#notice} · `
    document.title = this.#alert ?? count + notice + this.#page
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!icon) return
    icon.dataset.plain ??= icon.getAttribute('href') ?? ''
    const href = count ? unreadIcon : icon.dataset.plain
    if (icon.getAttribute('href') !== href) icon.setAttribute('href', href)
  }
}

export const documentTitle = new DocumentTitle()
