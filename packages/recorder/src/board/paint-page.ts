import { type Box, boundsOf, drawingsOf, type PaintContext, paintDrawing, paintPaper } from '@lectern/board'
import type { BoardElement, BoardPage } from '@lectern/protocol/control/client'
import type { SKRSContext2D } from '@napi-rs/canvas'
import { backgroundOf, type Images, type Picture, pictureIn } from './board-images.ts'
import { loadFonts } from './fonts.ts'

/** Paints the paper and its picture within a box, in units. False: the picture is not there yet, and the paper is grey. */
export async function paintSheet(
  context: SKRSContext2D,
  page: BoardPage,
  box: Box,
  images: Images,
): Promise<boolean> {
  paintPaper(context as PaintContext, page, box)
  const background = backgroundOf(page)
  const { width, height } = page
  return !background || paintPicture(context, background, { x: 0, y: 0, width, height }, images)
}

/** Paints an element, in units. False: its image is not there yet, and a grey area takes its place. */
export async function paintElement(
  context: SKRSContext2D,
  element: BoardElement,
  images: Images,
): Promise<boolean> {
  const picture = pictureIn(element)
  if (picture) return paintPicture(context, picture, boundsOf(element), images)
  if (element.kind === 'text') loadFonts()
  for (const drawing of drawingsOf(element)) paintDrawing(context as PaintContext, drawing)
  return true
}

async function paintPicture(
  context: SKRSContext2D,
  picture: Picture,
  { x, y, width, height }: Box,
  images: Images,
): Promise<boolean> {
  const image = await images.load(picture)
  if (image) context.drawImage(image, x, y, width, height)
  else {
    context.fillStyle = '#e5e7eb'
    context.fillRect(x, y, width, height)
  }
  return image !== null
}
