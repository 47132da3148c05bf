import { describe, expect, it } from 'vitest'
import { Blur } from './blur.ts'
import { Mask } from './mask.ts'

const SIZE = 16
const image = (size = SIZE) =>
  ({ width: size, height: size, data: new Uint8ClampedArray(size * size * 4) }) as ImageData
/** The probability of a person in the right half. */
const rightHalf = () => Float32Array.from({ length: SIZE * SIZE }, (_, at) => (at % SIZE >= SIZE / 2 ? 1 : 0))
const opacities = ({ data }: ImageData, row = 8) =>
  Array.from({ length: SIZE }, (_, x) => data[(row * SIZE + x) * 4 + 3])

describe('the mask', () => {
  it('begins within the person, except where the frame ends', () => {
    const target = image()
    new Mask(target).write(rightHalf())
    expect(opacities(target)).toEqual([...Array(11).fill(0), ...Array(5).fill(255)])
    expect(opacities(target, 0)).toEqual(opacities(target))
  })
})

describe('the blurred background', () => {
  it('has no colour of the person, and none of its details', () => {
    const person = rightHalf()
    // Black and white stripes, and a red person.
    const pixels = Uint8ClampedArray.from({ length: SIZE * SIZE * 4 }, (_, at) => {
      const x = Math.floor(at / 4) % SIZE
      if (x >= SIZE / 2) return at % 4 === 0 || at % 4 === 3 ? 255 : 0
      return at % 4 === 3 || x % 2 ? 255 : 0
    })
    const target = image(SIZE / 2)
    new Blur(SIZE, SIZE).write(pixels, person, 2, target)
    for (let x = 0; x < SIZE / 4; x++) {
      const [red = 0, green = 0, blue = 0, alpha] = target.data.subarray(x * 4)
      expect(Math.max(Math.abs(red - 127), Math.abs(green - 127), Math.abs(blue - 127))).toBeLessThan(4)
      expect(alpha).toBe(255)
    }
  })
})
