import type { Vector } from '@lectern/board'
import { Emitter, type Lifetime, Observable, sleep, WritableObservable } from '@lectern/common'
import type { DocumentView } from '@lectern/protocol'
import type { BoardPage } from '@lectern/protocol/control/client'
import { type FileAccess, findFile, removeFile, takesOffice } from '../../../uploads/files.ts'
import { mayUploadAgain, refusalOf, upload } from '../../../uploads/upload.ts'
import type { Author } from '../model/author.ts'
import { firstFrame } from './image-size.ts'
import { isOffice } from './office.ts'

/** The board that gets the files. */
interface Target {
  get: () => { page: BoardPage; pages: readonly BoardPage[] } | null
  show: (pageId: string) => Promise<unknown>
  /** Pages that the deck has space for. */
  spaceForSlides: () => number
  author: Pick<Author, 'draw'>
}

/** A file on its way to the board. */
export interface Insert {
  name: string
  /** From 0 to 1; null: it is being converted. */
  share: number | null
  /** Pages that are on the board, all of them, and how many of these the board has space for; null: not known yet. */
  pages: { done: number; all: number; fit: number } | null
  /** An office document, which may look different from its original. */
  isOffice?: boolean
}

/**
 * A file cannot be shown: a reason of docs/slides.md; `deck_full`: some of its pages have no space; `no_office`: the server takes
 * no office documents; `office_kind`: it takes others.
 */
export class NotShown extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** A file that is not on the board, with the error of its upload or NotShown; `again` repeats it where that may help. */
export interface InsertFailure {
  error: unknown
  again: (() => void) | null
}

const POLL_MS = 500
/** A file that the server has not described for so long is gone. */
const UNANSWERED_MAX_MS = 60_000
/** The last pages may arrive later than the end of the conversion. */
const ARRIVAL_MS = 3_000

/** Uploads images to the page, and slides to the deck, one file after the other. */
export class Inserts extends Observable<Insert | null> {
  /** Whether slides may be office documents, as the server said last. */
  readonly takesOffice = new WritableObservable(false)
  readonly #board: Target
  readonly #access: FileAccess
  readonly #failed = new Emitter<InsertFailure>()
  readonly #inserted = new Emitter<string>()
  #cancel = new AbortController()
  #last: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(board: Target, access: FileAccess, lifetime: Lifetime) {
    super(null)
    lifetime.defer(() => {
      this.#isClosed = true
      this.#cancel.abort()
    })
    this.#board = board
    this.#access = access
  }

  readonly onFailed = this.#failed.on
  /** With the id of an image's element. */
  readonly onInserted = this.#inserted.on

  readonly checkOffice = async (): Promise<boolean> => {
    const is = await takesOffice(this.#access)
    if (!this.#isClosed) this.takesOffice.set(is)
    return is
  }

  /** Documents and images become pages of the deck. The server adds them; the first one is shown to everybody. */
  readonly addSlides = (files: readonly File[]): void => this.#each(files, file => this.#addSlides(file))

  /** Puts images on the present page: around a point, or in its middle. */
  readonly addImages = (files: readonly File[], at?: Vector): void => {
    const page = this.#board.get()?.page
    if (page) this.#each(files, file => this.#addImage(file, page, at))
  }

  /** Has no effect on pages that are on the board. */
  readonly cancel = (): void => this.#cancel.abort()

  #each(files: readonly File[], add: (file: File) => Promise<void>): void {
    for (const file of files)
      this.#last = this.#last.then(async () => {
        if (this.#isClosed) return
        this.#cancel = new AbortController()
        try {
          await add(file)
        } catch (error) {
          const again = mayUploadAgain(error) ? () => this.#each([file], add) : null
          if (!this.#cancel.signal.aborted) this.#failed.emit({ error, again })
        }
        this.set(null)
      })
  }

  async #addSlides(file: File): Promise<void> {
    if (this.#board.get() && this.#board.spaceForSlides() === 0) throw new NotShown('deck_full')
    let document = await ((await isOffice(file)) ? this.#uploadOffice(file) : this.#upload(file, 'slides'))
    let isShown = false
    const showFirst = async () => {
      const [first] = this.#pagesOf(document.file_id)
      if (!first || isShown) return
      isShown = true
      // After a failure another page stays.
      await this.#board.show(first.page_id).catch(() => {})
    }
    for (;;) {
      await showFirst()
      const done = this.#pagesOf(document.file_id).length
      this.#setConverting(document, done)
      // Pages that have no space are converted, too.
      if (document.state !== 'converting' || (done > 0 && this.#board.spaceForSlides() === 0)) break
      document = await this.#poll(document, { canCancel: !isShown })
    }
    await this.#arrive(document)
    await showFirst()
  }

  async #addImage(file: File, page: BoardPage, at: Vector | undefined): Promise<void> {
    let document = await this.#upload(file, 'board_image')
    while (document.state === 'converting') document = await this.#poll(document, { canCancel: true })
    const [picture] = document.pages
    if (document.failure || !picture) throw new NotShown(document.failure?.reason ?? '')
    const frame = firstFrame(picture, page, at)
    const alt = altOf(file)
    const data = { ...frame, file_id: document.file_id, ...(alt !== '' && { alt }) }
    this.#inserted.emit(this.#board.author.draw({ kind: 'image', data }, undefined, page.page_id))
  }

  /** Uploads an office document, unless the server does not take it. */
  async #uploadOffice(file: File): Promise<DocumentView> {
    if (!(await this.checkOffice())) throw new NotShown('no_office')
    return this.#upload(file, 'slides', { isOffice: true }).catch(error => {
      throw refusalOf(error) === 'kind' ? new NotShown('office_kind') : error
    })
  }

  #upload(
    file: File,
    purpose: 'slides' | 'board_image',
    about: Pick<Insert, 'isOffice'> = {},
  ): Promise<DocumentView> {
    const set = (share: number) => this.set({ ...about, name: file.name, share, pages: null })
    set(0)
    const { signal } = this.#cancel
    return upload({ access: this.#access, purpose, file, onProgress: set, signal })
  }

  #setConverting({ name, page_count }: DocumentView, done: number): void {
    const fit = Math.min(page_count ?? 0, done + this.#board.spaceForSlides())
    this.set({
      ...this.get(),
      name,
      share: null,
      pages: page_count === null ? null : { done, all: page_count, fit },
    })
  }

  /** The file as it is after a while. Without a connection it stays as it is, for a time. */
  async #poll(document: DocumentView, { canCancel }: { canCancel: boolean }): Promise<DocumentView> {
    this.set({ ...this.get(), name: document.name, share: null, pages: this.get()?.pages ?? null })
    for (let waited = 0; waited < UNANSWERED_MAX_MS; waited += POLL_MS) {
      await sleep(POLL_MS)
      const { signal } = this.#cancel
      if (canCancel && signal.aborted && !this.#isClosed) void removeFile(this.#access, document.file_id)
      if (canCancel || this.#isClosed) signal.throwIfAborted()
      const found = await findFile(this.#access, document.file_id)
      if (found) return found
    }
    throw new NotShown('')
  }

  async #arrive({ file_id, failure, page_count }: DocumentView): Promise<void> {
    const isComplete = () => this.#pagesOf(file_id).length >= (page_count ?? 1)
    if (failure) throw new NotShown(failure.reason)
    for (let waited = 0; !isComplete() && waited < ARRIVAL_MS; waited += POLL_MS) await sleep(POLL_MS)
    // Nobody sees the pages of a board that was closed meanwhile.
    if (this.#board.get() && !isComplete()) throw new NotShown('deck_full')
  }

  #pagesOf(fileId: string): readonly BoardPage[] {
    const pages = this.#board.get()?.pages ?? []
    return pages.filter(({ background }) => 'file_id' in background && background.file_id === fileId)
  }
}

/** The name of the file is what is known about an image. Browsers give pasted ones a name of their own. */
const altOf = ({ name }: File): string =>
  name === 'image.png' ? '' : name.replace(/\.[a-z0-9]{1,5}$/i, '').slice(0, 500)
