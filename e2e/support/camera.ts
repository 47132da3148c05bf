import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FRAMES = 10
const folder = fileURLToPath(new URL('../../.cache/e2e', import.meta.url))

export interface Size {
  width: number
  height: number
}

/** Small machines have time for the rest. */
const SMALL: Size = { width: 160, height: 90 }

/** Writes the film (YUV4MPEG2, one second) of a fake camera: coloured stripes that wander. Gives its path. */
export function writeCamera({ width, height } = SMALL): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `camera-${width}x${height}.y4m`)
  if (existsSync(path)) return path
  const written = `${path}.${process.pid}` // files run at the same time; none may find half a film
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F${FRAMES}:1 Ip A1:1 C420\n`)
  const frames = Array.from({ length: FRAMES }, (_, frame) => [
    Buffer.from('FRAME\n'),
    ...planes({ width, height }, frame),
  ])
  writeFileSync(written, Buffer.concat([header, ...frames.flat()]))
  renameSync(written, path)
  return path
}

function planes({ width, height }: Size, frame: number): Buffer[] {
  const turn = (2 * Math.PI * frame) / FRAMES // after the last frame comes the first
  return [
    plane(width, height, (x, y) => 120 + 60 * Math.sin(x / 12 + y / 30 - turn)),
    plane(width / 2, height / 2, x => 128 + 50 * Math.sin(x / 25 - turn)),
    plane(width / 2, height / 2, (_, y) => 128 + 50 * Math.sin(y / 15 + turn)),
  ]
}

function plane(width: number, height: number, value: (x: number, y: number) => number): Buffer {
  const pixels = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = value(x, y)
  return pixels
}
