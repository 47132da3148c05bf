import { type PaintContext, paintPaper } from '@lectern/board'
import type { BoardElement, BoardPage } from '@lectern/protocol/control/client'
import { createCanvas, PDFDocument, type SKRSContext2D } from '@napi-rs/canvas'
import { type Images, paintElement } from './page-canvas.ts'

/** A page as it was at the end of the recording, its elements from back to front. */
export interface LastPage {
  page: BoardPage
  elements: BoardElement[]
}

/** The pictures of pages have this width. */
const PICTURE_WIDTH = 1920

/** A page as PNG. */
export async function pictureOf({ page, elements }: LastPage, images: Images): Promise<Buffer> {
  const scale = PICTURE_WIDTH / page.width
  const canvas = createCanvas(PICTURE_WIDTH, Math.round(page.height * scale))
  const context = canvas.getContext('2d')
  context.scale(scale, scale)
  paintPage(context, page, elements, images)
  return canvas.encode('png')
}

/** A page of paper for each page of the deck: what is drawn stays sharp, and texts can be searched. */
export function documentOf(pages: readonly LastPage[], images: Images): Buffer {
  const document = new PDFDocument({ title: 'Board' })
  for (const { page, elements } of pages) {
    const context = document.beginPage(page.width, page.height) as SKRSContext2D
    paintPage(context, page, elements, images)
    document.endPage()
  }
  return document.close()
}

function paintPage(
  context: SKRSContext2D,
  page: BoardPage,
  elements: readonly BoardElement[],
  images: Images,
): void {
  paintPaper(context as PaintContext, page, { x: 0, y: 0, width: page.width, height: page.height })
  for (const element of elements) paintElement(context, element, images)
}
