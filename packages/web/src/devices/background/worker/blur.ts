/** Pixels of the model's image per pixel of the blurred one. */
export const SHRINK = 2
const CHANNELS = 4
/** Three box filters are close to a Gaussian one. */
const PASSES = 3

/**
 * Blurs what is behind the person. Pixels of the person do not count, else their colours would glow around them. Both images
 * are RGBA; `target` has `1 / SHRINK` of the size.
 */
export class Blur {
  readonly #width: number
  readonly #height: number
  /** Red, green and blue times weight, and the weight. */
  #sums: Float32Array
  #spare: Float32Array

  constructor(width: number, height: number) {
    this.#width = width / SHRINK
    this.#height = height / SHRINK
    this.#sums = new Float32Array(this.#width * this.#height * CHANNELS)
    this.#spare = new Float32Array(this.#sums.length)
  }

  write(pixels: Uint8ClampedArray, person: Float32Array, radius: number, target: ImageData): void {
    this.#collect(pixels, person)
    const row = this.#width * CHANNELS
    for (let pass = 0; pass < PASSES; pass++) {
      this.#box(this.#height, row, this.#width, CHANNELS, radius)
      this.#box(this.#width, CHANNELS, this.#height, row, radius)
    }
    const { data } = target
    for (let at = 0; at < this.#sums.length; at += CHANNELS) {
      const weight = (this.#sums[at + 3] ?? 0) || 1
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = (this.#sums[at + channel] ?? 0) / weight
      data[at + 3] = 255
    }
  }

  #collect(pixels: Uint8ClampedArray, person: Float32Array): void {
    const sums = this.#sums.fill(0)
    const width = this.#width * SHRINK
    for (let y = 0; y < this.#height * SHRINK; y++)
      for (let x = 0; x < width; x++) {
        const from = y * width + x
        const to = (Math.floor(y / SHRINK) * this.#width + Math.floor(x / SHRINK)) * CHANNELS
        // Where there is nothing but the person, their colours have to do.
        const weight = Math.max(1e-4, 1 - (person[from] ?? 0))
        for (let channel = 0; channel < 3; channel++)
          sums[to + channel] = (sums[to + channel] ?? 0) + weight * (pixels[from * 4 + channel] ?? 0)
        sums[to + 3] = (sums[to + 3] ?? 0) + weight
      }
  }

  /** One direction: `lines` of `length` pixels, which are `lineStep` and `step` apart. */
  #box(lines: number, lineStep: number, length: number, step: number, radius: number): void {
    const from = this.#sums
    const to = this.#spare
    for (let line = 0; line < lines; line++)
      for (let channel = 0; channel < CHANNELS; channel++) {
        const start = line * lineStep + channel
        let sum = 0
        for (let each = 0; each < Math.min(radius, length); each++) sum += from[start + each * step] ?? 0
        for (let each = 0; each < length; each++) {
          if (each + radius < length) sum += from[start + (each + radius) * step] ?? 0
          if (each > radius) sum -= from[start + (each - radius - 1) * step] ?? 0
          to[start + each * step] = sum
        }
      }
    this.#sums = to
    this.#spare = from
  }
}
