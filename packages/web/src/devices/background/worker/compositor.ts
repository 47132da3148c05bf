import { Blur, SHRINK } from './blur.ts'
import { Mask } from './mask.ts'
import type { Segmenter } from './segmenter.ts'

/** The radius in pixels of the blurred image, or a picture. */
export type Backdrop = { blur: number } | { picture: ImageBitmap | OffscreenCanvas }

interface Size {
  width: number
  height: number
}

interface Part extends Size {
  x: number
  y: number
}

/** Draws the person of a frame before something else. */
export class Compositor {
  backdrop: Backdrop
  readonly #segmenter: Segmenter
  readonly #blur: Blur
  readonly #output = open(1, 1)
  /** The context of the model's input. Its pixels are read for every frame. */
  readonly #model: OffscreenCanvasRenderingContext2D
  readonly #mask: Mask
  readonly #masked: OffscreenCanvasRenderingContext2D
  readonly #blurred: OffscreenCanvasRenderingContext2D
  readonly #blurredData: ImageData

  constructor(segmenter: Segmenter, backdrop: Backdrop) {
    const { width, height } = segmenter
    this.backdrop = backdrop
    this.#segmenter = segmenter
    this.#blur = new Blur(width, height)
    this.#model = open(width, height, { willReadFrequently: true })
    this.#mask = new Mask(new ImageData(width, height))
    this.#masked = open(width, height)
    this.#blurred = open(width / SHRINK, height / SHRINK)
    this.#blurredData = new ImageData(width / SHRINK, height / SHRINK)
  }

  /** The canvas is valid until the next frame. */
  draw(frame: CanvasImageSource, size: Size): OffscreenCanvas {
    const { canvas } = this.#output
    if (canvas.width !== size.width || canvas.height !== size.height) {
      canvas.width = size.width
      canvas.height = size.height
    }
    this.#output.imageSmoothingQuality = 'medium' // a change of the size resets it
    const { width, height } = this.#segmenter
    // The model recognises a distorted person better than one in a part of its image.
    this.#model.drawImage(frame, 0, 0, width, height)
    const pixels = this.#model.getImageData(0, 0, width, height).data
    const person = this.#segmenter.segment(pixels)
    this.#mask.write(person)
    this.#masked.putImageData(this.#mask.image, 0, 0)
    this.#paint('copy', this.#masked.canvas)
    this.#paint('source-in', frame)
    if ('picture' in this.backdrop) {
      const { picture } = this.backdrop
      this.#paint('destination-over', picture, coverOf(picture, size))
    } else {
      this.#blur.write(pixels, person, this.backdrop.blur, this.#blurredData)
      this.#blurred.putImageData(this.#blurredData, 0, 0)
      this.#paint('destination-over', this.#blurred.canvas)
    }
    return canvas
  }

  #paint(operation: GlobalCompositeOperation, image: CanvasImageSource, part?: Part): void {
    const { width, height } = this.#output.canvas
    this.#output.globalCompositeOperation = operation
    if (part) this.#output.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, width, height)
    else this.#output.drawImage(image, 0, 0, width, height)
  }
}

/** The largest middle part of the picture in the shape of the frame. */
function coverOf(picture: Size, { width, height }: Size): Part {
  const scale = Math.min(picture.width / width, picture.height / height)
  const part = { width: width * scale, height: height * scale }
  return { x: (picture.width - part.width) / 2, y: (picture.height - part.height) / 2, ...part }
}

function open(width: number, height: number, options?: CanvasRenderingContext2DSettings) {
  const context = new OffscreenCanvas(width, height).getContext('2d', options)
  if (!context) throw new Error('no canvas')
  return context
}
