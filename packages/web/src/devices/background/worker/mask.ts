/** Below the first, a pixel belongs to the room; above the second, to the person. */
const EDGE = [0.6, 0.9] as const

/**
 * The opacity of the person. A pixel is as opaque as the least opaque of its neighbours within three pixels, by which the model errs, as between
 * chin and shoulder: the edge is on the person and not on the room.
 */
export class Mask {
  /** The alpha channel is the mask. */
  readonly image: ImageData
  readonly #near: Float32Array
  readonly #far: Float32Array

  constructor(image: ImageData) {
    this.image = image
    this.#near = new Float32Array(image.width * image.height)
    this.#far = new Float32Array(this.#near.length)
  }

  write(probabilities: Float32Array): void {
    const { width, height, data } = this.image
    erode(probabilities, this.#near, width, height)
    erode(this.#near, this.#far, width, height)
    erode(this.#far, this.#near, width, height)
    const [from, to] = EDGE
    for (let at = 0; at < this.#near.length; at++) {
      // The array limits it to the range.
      data[at * 4 + 3] = (255 * ((this.#near[at] ?? 0) - from)) / (to - from)
    }
  }
}

/** The least of each pixel and the four beside it. What the frame cuts off has no edge there. */
function erode(from: Float32Array, to: Float32Array, width: number, height: number): void {
  for (let y = 0; y < height; y++) {
    const row = y * width
    const above = y > 0 ? row - width : row
    const below = y < height - 1 ? row + width : row
    for (let x = 0; x < width; x++) {
      const left = x > 0 ? x - 1 : x
      const right = x < width - 1 ? x + 1 : x
      to[row + x] = Math.min(
        from[row + x] ?? 0,
        from[row + left] ?? 0,
        from[row + right] ?? 0,
        from[above + x] ?? 0,
        from[below + x] ?? 0,
      )
    }
  }
}
