import { fontOf, textLines } from '@lectern/board'
import type { BoardElement, BoardPage } from '@lectern/protocol/control/client'
import { createCanvas, PDFDocument, type SKRSContext2D } from '@napi-rs/canvas'
import { type Images, picturesOf } from './board-images.ts'
import { paintElement, paintSheet } from './paint-page.ts'
import { TextLayer } from './text-layer.ts'
import { type WrittenWord, wordsOf } from './written-words.ts'

/** A page as it was at the end of the recording, its elements from back to front. */
export interface LastPage {
  page: BoardPage
  elements: BoardElement[]
}

/**
 * The pictures of pages have this width, and at most this height, like the pictures of converters: a page may be 100
 * times as high as wide.
 */
const PICTURE_WIDTH = 1920
const PICTURE_HEIGHT_MAX = 3840

/** A page as PNG. */
export async function pictureOf({ page, elements }: LastPage, images: Images): Promise<Buffer> {
  const scale = Math.min(PICTURE_WIDTH / page.width, PICTURE_HEIGHT_MAX / page.height)
  const pixels = (length: number) => Math.max(Math.round(length * scale), 1)
  const canvas = createCanvas(pixels(page.width), pixels(page.height))
  const context = canvas.getContext('2d')
  context.scale(scale, scale)
  await paintPage(context, page, elements, images)
  return canvas.encode('png')
}

/** A document with more pictures has them in half of their width: Skia compresses them without loss, in memory. */
const SHARP_PICTURES_MAX = 40

/** A page of paper for each page of the deck: what is drawn stays sharp, and texts can be searched. */
export async function documentOf(pages: readonly LastPage[], images: Images): Promise<Buffer> {
  const document = new PDFDocument({ title: 'Board' })
  const count = pages.flatMap(({ page, elements }) => picturesOf(page, elements)).length
  const shown = count > SHARP_PICTURES_MAX ? halved(images) : images
  const texts = new TextLayer()
  for (const { page, elements } of pages) {
    const context = document.beginPage(page.width, page.height) as SKRSContext2D
    await paintPage(context, page, elements, shown)
    await texts.addPage(wordsIn(page, elements, context), page.height)
    document.endPage()
  }
  return texts.addedTo(document.close())
}

/** What is written on the page, text by text: what is beside it is not in the document. */
async function* wordsIn(
  page: BoardPage,
  elements: readonly BoardElement[],
  context: SKRSContext2D,
): AsyncGenerator<WrittenWord[]> {
  const measure = (text: string) => context.measureText(text).width
  for (const { kind, data } of elements) {
    if (kind !== 'text') continue
    context.font = fontOf(data.size)
    yield textLines(data)
      .filter(({ y }) => y > 0 && y - data.size < page.height)
      .flatMap(line => wordsOf(line, data.size, measure))
      .filter(({ x, width, characters }) => x < page.width && x + width * characters.length > 0)
    await new Promise(setImmediate) // others have their turn
  }
}

async function paintPage(
  context: SKRSContext2D,
  page: BoardPage,
  elements: readonly BoardElement[],
  images: Images,
): Promise<void> {
  const all = { x: 0, y: 0, width: page.width, height: page.height }
  await paintSheet(context, page, all, images)
  for (const element of elements) await paintElement(context, element, images)
}

const halved = (images: Images): Images => ({
  fetch: pictures => images.fetch(pictures),
  async load(picture) {
    const image = await images.load(picture)
    if (!image) return null
    const half = createCanvas(Math.ceil(image.width / 2), Math.ceil(image.height / 2))
    half.getContext('2d').drawImage(image, 0, 0, half.width, half.height)
    return half
  },
})
