/** Reads bits and Exp-Golomb codes (ITU-T H.264 clause 9.1). */
export class BitReader {
  #at = 0

  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** The index of the next bit. */
  get position() {
    return this.#at
  }

  read(count: number): number {
    let value = 0
    for (let index = 0; index < count; index++, this.#at++) {
      const byte = this.bytes[this.#at >> 3] ?? 0
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1)
    }
    return value
  }

  readUe(): number {
    let zeros = 0
    while (this.read(1) === 0) if (++zeros > 31) throw new Error('not an Exp-Golomb code')
    return 2 ** zeros - 1 + this.read(zeros)
  }
}

export class BitWriter {
  #bytes: Buffer
  #length = 0

  constructor(bytesMax: number) {
    this.#bytes = Buffer.alloc(bytesMax)
  }

  write(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit--, this.#length++) {
      if (Math.floor(value / 2 ** bit) & 1) this.#add(this.#length >> 3, 0x80 >> (this.#length & 7))
    }
    return this
  }

  writeUe(value: number): this {
    const count = Math.floor(Math.log2(value + 1))
    return this.write(0, count).write(value + 1, count + 1)
  }

  /** Zeros until the next byte begins. */
  align(): this {
    this.#length = (this.#length + 7) & ~7
    return this
  }

  /** Copies what that reader has not read yet. */
  copy({ bytes, position }: BitReader): this {
    const last = bytes.length * 8
    let from = position
    while (from & 7 && from < last) {
      this.write(((bytes[from >> 3] ?? 0) >> (7 - (from & 7))) & 1, 1)
      from++
    }
    const shift = this.#length & 7
    let to = this.#length >> 3
    for (let at = from >> 3; at < bytes.length; at++, to++) {
      const byte = bytes[at] as number
      this.#add(to, byte >> shift)
      if (shift > 0) this.#bytes[to + 1] = byte << (8 - shift)
    }
    this.#length += last - from
    return this
  }

  /** rbsp_trailing_bits (clause 7.3.2.11). */
  end(): Buffer {
    return this.write(1, 1).align().bytes
  }

  /** Everything until the last bit that is set. */
  get bytes(): Buffer {
    let end = (this.#length + 7) >> 3
    while (this.#bytes[end - 1] === 0) end--
    return this.#bytes.subarray(0, end)
  }

  #add(at: number, bits: number) {
    this.#bytes[at] = (this.#bytes[at] as number) | bits
  }
}
