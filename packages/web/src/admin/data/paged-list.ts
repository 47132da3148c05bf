import { Observable } from '@lectern/common'
import { type Answer, type ConsoleApi, failureOf, type QueryValues } from './console-api.ts'

/** `code`: of a refusal; null: the server cannot be reached. `failure`: of the last request, after which the rows may be out of date. */
export type PagedListState<Row> =
  | { is: 'loading' }
  | { is: 'failed'; code: string | null }
  | {
      is: 'known'
      rows: readonly Row[]
      next: string | null
      isBusy: boolean
      failure: { code: string | null } | null
    }

interface Page<Row> {
  rows: readonly Row[]
  next: string | null
}

/** A list of an API: its first page, and further ones on demand. */
export class PagedList<Row, Body = unknown> extends Observable<PagedListState<Row>> {
  readonly #api: ConsoleApi
  readonly #path: string
  readonly #read: (body: Body) => Page<Row>
  #query: QueryValues = {}
  /** Answers to earlier requests are dropped. */
  #requests = 0
  #hasFurtherPages = false

  constructor(api: ConsoleApi, path: string, read: (body: Body) => Page<Row>) {
    super({ is: 'loading' })
    this.#api = api
    this.#path = path
    this.#read = read
  }

  /** Loads the first page of the rows that match. */
  readonly search = (query: QueryValues): Promise<void> => {
    this.#query = query
    return this.refresh()
  }

  /** Loads the first page again. The rows stay until they are known. */
  readonly refresh = async (): Promise<void> => {
    const state = this.get()
    this.set(state.is === 'known' ? { ...state, isBusy: true } : { is: 'loading' })
    const answer = await this.#request(this.#query)
    if (!answer) return
    const known = this.get()
    if (answer.is === 'ok') {
      this.#hasFurtherPages = false
      this.set({ is: 'known', ...this.#read(answer.body), isBusy: false, failure: null })
    } else this.#fail(known, answer)
  }

  /** `refresh`, unless that would remove rows which the reader has asked for. */
  readonly poll = async (): Promise<void> => {
    if (!this.#hasFurtherPages) await this.refresh()
  }

  /** Appends the next page. */
  readonly loadMore = async (): Promise<void> => {
    const state = this.get()
    if (state.is !== 'known' || state.next === null || state.isBusy) return
    this.set({ ...state, isBusy: true })
    const answer = await this.#request({ ...this.#query, [this.#api.cursor]: state.next })
    if (!answer) return
    if (answer.is !== 'ok') return this.#fail(state, answer)
    const { rows, next } = this.#read(answer.body)
    this.#hasFurtherPages = true
    this.set({ is: 'known', rows: [...state.rows, ...rows], next, isBusy: false, failure: null })
  }

  /** Somebody who has lost the permission no longer sees the rows. */
  #fail(state: PagedListState<Row>, answer: Answer<Body>): void {
    const code = failureOf(answer)?.code ?? null
    if (state.is === 'known' && code !== 'permission_denied')
      this.set({ ...state, isBusy: false, failure: { code } })
    else this.set({ is: 'failed', code })
  }

  /** Null: a newer request was sent meanwhile. */
  async #request(query: QueryValues): Promise<Answer<Body> | null> {
    const request = ++this.#requests
    const answer = await this.#api.get<Body>(this.#path, query)
    return request === this.#requests ? answer : null
  }
}
