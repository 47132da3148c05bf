import { expect, it } from 'vitest'
import { openSandbox } from '../sandbox/index.ts'
import { scale } from './pictures.ts'

/** An image in PAM with weak noise of this strength, as photographs have it: a PNG of it is large, a JPEG is not. */
function noise(width: number, height: number, strength: number): Buffer {
  const pixels = Buffer.alloc(width * height * 4, 255)
  let state = 1
  for (let at = 0; at < pixels.length; at++) {
    if (at % 4 === 3) continue
    // xorshift32
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    pixels[at] = 120 + ((state >>> 8) % strength)
  }
  const head = `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), pixels])
}

/** How coarse a JPEG is: the second value of its first quantization table. */
const coarsenessOf = (jpeg: Buffer) => jpeg[jpeg.indexOf(Buffer.from([0xff, 0xdb])) + 6] ?? 0

it.each([
  ['fine where that is small enough', 40, true],
  ['coarse where nothing else is', 130, false],
])('a picture of a photograph is a JPEG, %s', async (_, strength, isFine) => {
  const size = { width: 1920, height: 1080 }
  const bytes = noise(size.width, size.height, strength)
  const pictures = await scale(
    await openSandbox({ isSandboxed: true }),
    { bytes, format: 'pam_pipe', size },
    20_000,
  )
  const { contentType, bytes: jpeg } = pictures['1920'] ?? expect.unreachable()
  expect(contentType).toBe('image/jpeg')
  expect(coarsenessOf(jpeg) < 10).toBe(isFine)
})
