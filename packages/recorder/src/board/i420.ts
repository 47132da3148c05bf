interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** A picture of 8 bits in YUV 4:2:0, BT.601 with limited range, as ffmpeg takes it. The size is even. */
export class I420Picture {
  readonly data: Buffer
  readonly #width: number
  readonly #height: number

  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
    this.data = Buffer.alloc((width * height * 3) / 2)
  }

  /** Replaces an area, whose edges are even, by RGBA pixels. */
  write(rgba: Uint8ClampedArray, { x, y, width, height }: Area): void {
    const { data } = this
    const all = this.#width
    const u = all * this.#height
    const v = u + u / 4
    for (let row = 0; row < height; row += 2) {
      for (let column = 0; column < width; column += 2) {
        let [red, green, blue] = [0, 0, 0]
        for (let corner = 0; corner < 4; corner++) {
          const [atRow, atColumn] = [row + (corner >> 1), column + (corner & 1)]
          const at = (atRow * width + atColumn) * 4
          const [r, g, b] = [rgba[at] as number, rgba[at + 1] as number, rgba[at + 2] as number]
          data[(y + atRow) * all + x + atColumn] = 16 + ((66 * r + 129 * g + 25 * b + 128) >> 8)
          red += r
          green += g
          blue += b
        }
        const at = ((y + row) >> 1) * (all >> 1) + ((x + column) >> 1)
        data[u + at] = 128 + ((-38 * red - 74 * green + 112 * blue + 512) >> 10)
        data[v + at] = 128 + ((112 * red - 94 * green - 18 * blue + 512) >> 10)
      }
    }
  }
}
