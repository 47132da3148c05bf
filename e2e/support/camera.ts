import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WIDTH = 320
const HEIGHT = 180
const FRAMES = 10
const folder = fileURLToPath(new URL('../../.cache/e2e', import.meta.url))

/** Writes the film (YUV4MPEG2, one second) of a small fake camera: coloured stripes that wander. Gives its path. */
export function writeCamera(): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'camera.y4m')
  const written = `${path}.${process.pid}` // files run at the same time; none may find half a film
  const frames = Array.from({ length: FRAMES }, (_, frame) => [Buffer.from('FRAME\n'), ...planes(frame)])
  writeFileSync(written, Buffer.concat([header, ...frames.flat()]))
  renameSync(written, path)
  return path
}

const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES}:1 Ip A1:1 C420\n`)

function planes(frame: number): Buffer[] {
  const turn = (2 * Math.PI * frame) / FRAMES // after the last frame comes the first
  return [
    plane(WIDTH, HEIGHT, (x, y) => 120 + 60 * Math.sin(x / 12 + y / 30 - turn)),
    plane(WIDTH / 2, HEIGHT / 2, x => 128 + 50 * Math.sin(x / 25 - turn)),
    plane(WIDTH / 2, HEIGHT / 2, (_, y) => 128 + 50 * Math.sin(y / 15 + turn)),
  ]
}

function plane(width: number, height: number, value: (x: number, y: number) => number): Buffer {
  const pixels = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = value(x, y)
  return pixels
}
