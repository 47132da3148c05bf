import { backoffMs, Emitter, type Lifetime } from '@lectern/common'
import type { BoardPage, PageBackground } from '@lectern/protocol/control/client'
import { type FileAccess, findFile, loadPicture } from '../../../uploads/files.ts'

/** A page of a file; images have one. */
export interface FilePage {
  fileId: string
  pageNumber: number
}

/** Null: the page has no picture. */
export function filePageOf({ background }: Pick<BoardPage, 'background'>): FilePage | null {
  if (!isFile(background)) return null
  return {
    fileId: background.file_id,
    pageNumber: background.kind === 'document' ? background.page_number : 1,
  }
}

type FileBackground = Extract<PageBackground, { file_id: string }>
const isFile = (background: PageBackground): background is FileBackground => 'file_id' in background

/** Sharp enough for this many pixels. */
const WIDTHS = [320, 960, 1920] as const
type Width = (typeof WIDTHS)[number]
const widthFor = (pixels: number): Width => WIDTHS.find(each => each >= pixels * 0.9) ?? 1920

interface Loaded {
  image: ImageBitmap | null
  usedAtMs: number
}

interface Source extends FilePage {
  pictures: Map<Width, Loaded>
  /** The picture cannot be shown, at least for now. */
  isFailed: boolean
  /** Timers of further attempts, by width. */
  timers: Map<Width, ReturnType<typeof setTimeout>>
}

const RETRY = { firstMs: 1_000, maxMs: 30_000, jitter: 0.5 }
/** Pixels of pictures in memory; those that were drawn lately stay. */
const PIXELS_MAX = 24_000_000
const LATELY_MS = 5_000

/** The pictures of pages and images, in the widths in which they are shown. */
export class Pictures {
  readonly #access: FileAccess
  readonly #sources = new Map<string, Source>()
  readonly #changed = new Emitter<FilePage>()
  #isClosed = false

  constructor(access: FileAccess, lifetime: Lifetime) {
    this.#access = access
    lifetime.defer(() => {
      this.#isClosed = true
      for (const { timers, pictures } of this.#sources.values()) {
        for (const timer of timers.values()) clearTimeout(timer)
        for (const { image } of pictures.values()) image?.close()
      }
    })
  }

  /** A picture was loaded, or cannot be. */
  readonly onChange = this.#changed.on

  /** The best picture that is there; a better one is loaded where more pixels need it. Null: there is none yet. */
  readonly get = (page: FilePage, pixels: number): ImageBitmap | null => {
    if (this.#isClosed) return null
    const source = this.#sourceOf(page)
    const width = widthFor(pixels)
    const wanted = source.pictures.get(width)
    if (wanted) wanted.usedAtMs = Date.now()
    else void this.#load(source, width)
    if (wanted?.image) return wanted.image
    const others = [...source.pictures].filter(([, { image }]) => image).sort(([a], [b]) => b - a)
    return others[0]?.[1].image ?? null
  }

  readonly isFailed = ({ fileId, pageNumber }: FilePage): boolean =>
    this.#sources.get(keyOf(fileId, pageNumber))?.isFailed ?? false

  #sourceOf({ fileId, pageNumber }: FilePage): Source {
    const key = keyOf(fileId, pageNumber)
    const known = this.#sources.get(key)
    if (known) return known
    const made = { fileId, pageNumber, pictures: new Map(), isFailed: false, timers: new Map() }
    this.#sources.set(key, made)
    return made
  }

  async #load(source: Source, width: Width, failures = 0): Promise<void> {
    const entry = source.pictures.get(width) ?? { image: null, usedAtMs: Date.now() }
    source.pictures.set(width, entry)
    const blob = await loadPicture(this.#access, { ...source, width: `${width}` })
    const image = blob && (await createImageBitmap(blob).catch(() => null))
    if (this.#isClosed) {
      image?.close()
      return
    }
    source.isFailed = image === null
    entry.image = image
    if (!image && (await this.#mayLoadLater(source)) && !this.#isClosed)
      source.timers.set(
        width,
        setTimeout(() => void this.#load(source, width, failures + 1), backoffMs(failures, RETRY)),
      )
    this.#forgetOld()
    this.#changed.emit(source)
  }

  /** A page that the converter could not draw stays away. */
  async #mayLoadLater({ fileId, pageNumber }: Source): Promise<boolean> {
    const file = await findFile(this.#access, fileId)
    return !file?.pages.some(page => page.page_number === pageNumber && page.failure !== null)
  }

  #forgetOld(): void {
    const all = [...this.#sources.values()].flatMap(({ pictures }) =>
      [...pictures].flatMap(([width, { image, usedAtMs }]) =>
        image ? [{ pictures, width, image, usedAtMs }] : [],
      ),
    )
    let pixels = all.reduce((sum, { image }) => sum + image.width * image.height, 0)
    for (const each of all.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (pixels <= PIXELS_MAX || each.usedAtMs > Date.now() - LATELY_MS) return
      pixels -= each.image.width * each.image.height
      each.pictures.delete(each.width)
      each.image.close()
    }
  }
}

const keyOf = (fileId: string, pageNumber: number) => `${fileId} ${pageNumber}`
