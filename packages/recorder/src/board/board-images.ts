import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KeyedMutex } from '@lectern/common'
import type { BoardElement, BoardPage } from '@lectern/protocol/control/client'
import type { BoardListener, HeldJob } from '@lectern/worker-kit'
import type { Canvas, Image } from '@napi-rs/canvas'

/** The picture of a page of a file; an image is a file of one page. */
export interface Picture {
  fileId: string
  pageNumber: number
}

/** The source of the pictures that the board shows. */
export interface Images {
  /** Resolves when all of them are on the disk, or some cannot be for now. */
  fetch(pictures: Iterable<Picture>): Promise<void>
  /** Null: it is not on the disk. */
  load(picture: Picture): Promise<Image | Canvas | null>
}

export function backgroundOf({ background }: BoardPage): Picture | null {
  if (!('file_id' in background)) return null
  return {
    fileId: background.file_id,
    pageNumber: background.kind === 'document' ? background.page_number : 1,
  }
}

export const pictureIn = (element: BoardElement): Picture | null =>
  element.kind === 'image' ? { fileId: element.data.file_id, pageNumber: 1 } : null

/** The background of a page, and the images on it. */
export function picturesOf(page: BoardPage, elements: Iterable<BoardElement>): Picture[] {
  return [backgroundOf(page), ...[...elements].map(pictureIn)].filter(each => each !== null)
}

/** The largest one that converters draw. */
const WIDTH = 1920
/** The composer waits for pictures that have not arrived; afterwards they are grey. */
const WAIT_MS = 5_000
const RETRY_AFTER_MS = 5_000
const DOWNLOADS_AT_ONCE = 4
/** Memory for decoded pictures: about eight of 1920 by 1080 pixels, or two of the largest ones. */
const MEMORY_BYTES = 64 * 1024 * 1024

interface Download {
  done: Promise<void>
  /** When it was begun, or when it failed. */
  atMs: number
  failed: boolean
}

interface ImagesOptions {
  /** The folder of the pictures; created with the first one. */
  folder: string
  download: HeldJob['download']
  /** Called once for each picture. */
  failed: (picture: Picture, error: unknown) => void
  clock: () => number
}

/**
 * Pictures of the board, downloaded as soon as somebody places them and kept in the folder of the recording, so that
 * later attempts have them even if the files are gone.
 */
export class BoardImages implements Images {
  readonly #options: ImagesOptions
  readonly #stored = new Set<string>()
  readonly #downloads = new Map<string, Download>()
  readonly #reported = new Set<string>()
  readonly #lanes = new KeyedMutex()
  /** The one that was used last comes last. */
  readonly #decoded = new Map<string, Image>()
  #decodedBytes = 0
  #begun = 0

  constructor(options: ImagesOptions) {
    this.#options = options
  }

  /** Begins to download what is not there; of what has failed only after a while. */
  request(pictures: Iterable<Picture>): Promise<void>[] {
    const { clock } = this.#options
    const awaited: Promise<void>[] = []
    for (const picture of pictures) {
      if (this.#isStored(picture)) continue
      const name = nameOf(picture)
      const known = this.#downloads.get(name)
      const isLate = known !== undefined && clock() - known.atMs >= RETRY_AFTER_MS
      if (!known || (known.failed && isLate)) awaited.push(this.#begin(picture))
      else if (!known.failed && !isLate) awaited.push(known.done)
    }
    return awaited
  }

  async fetch(pictures: Iterable<Picture>): Promise<void> {
    const awaited = this.request(pictures)
    if (awaited.length === 0) return
    const waiting = new AbortController()
    const late = sleep(WAIT_MS, null, { signal: waiting.signal }).catch(() => {})
    await Promise.race([Promise.all(awaited), late])
    waiting.abort()
  }

  async load(picture: Picture): Promise<Image | null> {
    const name = nameOf(picture)
    const known = this.#decoded.get(name)
    if (known) {
      this.#decoded.delete(name)
      this.#decoded.set(name, known)
      return known
    }
    if (!this.#isStored(picture)) return null
    const image = await this.#decode(picture)
    if (image) this.#remember(name, image)
    return image
  }

  #begin(picture: Picture): Promise<void> {
    const lane = String(this.#begun++ % DOWNLOADS_AT_ONCE)
    const download: Download = { done: Promise.resolve(), atMs: this.#options.clock(), failed: false }
    this.#downloads.set(nameOf(picture), download)
    download.done = this.#lanes
      .run(lane, () => this.#download(picture))
      .catch(error => {
        download.failed = true
        download.atMs = this.#options.clock()
        this.#report(picture, error)
      })
    return download.done
  }

  async #download(picture: Picture): Promise<void> {
    const { folder, download } = this.#options
    await mkdir(folder, { recursive: true })
    const path = `/api/v1.0/files/${picture.fileId}/pages/${picture.pageNumber}/${WIDTH}`
    await download(path, join(folder, nameOf(picture)))
    this.#downloads.delete(nameOf(picture))
  }

  #isStored(picture: Picture): boolean {
    const name = nameOf(picture)
    if (!this.#stored.has(name) && !this.#downloads.has(name) && existsSync(this.#fileOf(name)))
      this.#stored.add(name)
    return this.#stored.has(name)
  }

  async #decode(picture: Picture): Promise<Image | null> {
    const name = nameOf(picture)
    try {
      const { loadImage } = await import('@napi-rs/canvas') // Skia is loaded for boards only
      return await loadImage(await readFile(this.#fileOf(name)))
    } catch (error) {
      // A file that the death of the machine has left incomplete is downloaded again, at once only the first time.
      this.#stored.delete(name)
      if (this.#reported.has(name))
        this.#downloads.set(name, { done: Promise.resolve(), atMs: this.#options.clock(), failed: true })
      await rm(this.#fileOf(name), { force: true })
      this.#report(picture, error)
      return null
    }
  }

  #remember(name: string, image: Image): void {
    this.#decoded.set(name, image)
    this.#decodedBytes += bytesOf(image)
    for (const [oldest, each] of this.#decoded) {
      if (this.#decodedBytes <= MEMORY_BYTES || oldest === name) return
      this.#decoded.delete(oldest)
      this.#decodedBytes -= bytesOf(each)
    }
  }

  #report(picture: Picture, error: unknown): void {
    const name = nameOf(picture)
    if (this.#reported.has(name)) return
    this.#reported.add(name)
    this.#options.failed(picture, error)
  }

  #fileOf(name: string): string {
    return join(this.#options.folder, name)
  }
}

/** Passes what happens on, and requests the pictures that it shows. */
export function withPictures(listener: BoardListener, images: BoardImages): BoardListener {
  const request = (elements: readonly BoardElement[]) =>
    images.request(elements.map(pictureIn).filter(each => each !== null))
  return {
    changed(index, atMs) {
      listener.changed(index, atMs)
      const shown = index.pages.find(({ page_id }) => page_id === index.shown_page_id)
      if (shown) images.request(picturesOf(shown, []))
    },
    opened(pageId, elements, atMs) {
      listener.opened(pageId, elements, atMs)
      request(elements)
    },
    happened(pageId, name, body, atMs) {
      listener.happened(pageId, name, body, atMs)
      if (name === 'board.elements') request(body.elements as unknown as BoardElement[])
    },
  }
}

const bytesOf = ({ width, height }: Image): number => width * height * 4

/** Ids of files have no separators of folders. */
const nameOf = ({ fileId, pageNumber }: Picture): string => `${fileId}-${pageNumber}`
