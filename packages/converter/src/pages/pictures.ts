import { PAGE_PICTURE_MAX_BYTES, PAGE_WIDTHS, type PageWidth } from '@lectern/protocol'
import type { Sandbox } from '../sandbox/index.ts'
import { CannotBeShown, reasonOf } from './failure.ts'
import type { Size } from './pdf-info.ts'

export interface Picture {
  bytes: Buffer
  contentType: 'image/png' | 'image/jpeg'
}

export type Pictures = Partial<Record<PageWidth, Picture>>

/** A picture to scale, and how ffmpeg reads it. */
export interface Source {
  bytes: Buffer
  format: 'tiff_pipe' | 'pam_pipe'
  size: Size
}

/** Limits of the largest picture, in pixels. */
export const WIDTH_MAX = 1920
export const HEIGHT_MAX = 3840
const MAX_BYTES = 64_000_000

/** The size of the largest picture of a page, whose size is in points. */
export function fitted({ width, height }: Size): Size {
  const scale = Math.min(WIDTH_MAX / width, HEIGHT_MAX / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

interface Output {
  width: PageWidth
  size: Size
  codec: readonly string[]
  contentType: Picture['contentType']
}

const PNG = ['-c:v', 'png', '-compression_level', '3', '-pred', 'none']
const jpeg = (quality: number) => ['-c:v', 'mjpeg', '-q:v', String(quality), '-pix_fmt', 'yuvj420p']

/** The candidates of each width: the smaller of the first two that are small enough is taken, and the third one only if none is. */
function outputsFor(largest: Size): Output[] {
  return PAGE_WIDTHS.flatMap(width => {
    const scale = Math.min(1, Number(width) / largest.width)
    const whole = (length: number) => Math.max(1, Math.round(length * scale))
    const size = { width: whole(largest.width), height: whole(largest.height) }
    const candidates: Output[] = [
      { width, size, codec: PNG, contentType: 'image/png' },
      { width, size, codec: jpeg(3), contentType: 'image/jpeg' },
    ]
    // For pages that are large even so.
    if (width === '1920') candidates.push({ width, size, codec: jpeg(14), contentType: 'image/jpeg' })
    return candidates
  })
}

/** Draws the pictures of a page in all widths, over white where it is transparent. Throws CannotBeShown. */
export async function scale(
  sandbox: Sandbox,
  { bytes, format, size }: Source,
  withinMs: number,
  signal?: AbortSignal,
): Promise<Pictures> {
  const outputs = outputsFor(size)
  const white = `color=white:size=${size.width}x${size.height},format=rgb24[white]`
  const opaque = format === 'pam_pipe' ? `${white};[white][0:v]overlay=format=rgb:shortest=1` : '[0:v]null'
  const split = `${opaque},format=rgb24,split=${outputs.length}${outputs.map((_, i) => `[s${i}]`).join('')}`
  const graph = outputs.map(
    ({ size: { width, height } }, i) => `[s${i}]scale=${width}:${height}:flags=area[o${i}]`,
  )
  const result = await sandbox.run(
    {
      command: [
        ...[
          'ffmpeg',
          '-v',
          'error',
          '-nostdin',
          '-threads',
          '1',
          '-f',
          format,
          '-frame_size',
          String(bytes.length),
          '-i',
          'pipe:0',
        ],
        ...['-filter_complex', [split, ...graph].join(';')],
        ...outputs.flatMap(({ codec }, i) => [
          ...['-map', `[o${i}]`, '-frames:v', '1', ...codec, '-threads', '1', '-f', 'image2pipe'],
          `pipe:${i === 0 ? 1 : i + 2}`,
        ]),
      ],
      stdin: bytes,
      outputs: outputs.length,
      withinMs,
      maxBytes: MAX_BYTES,
    },
    signal,
  )
  if (result.code !== 0) throw new CannotBeShown(reasonOf(result))
  return chosen(outputs, result.outputs)
}

/** A width without a picture that is small enough gets the one of the next smaller width. */
function chosen(outputs: Output[], written: Buffer[]): Pictures {
  const pictures: Pictures = {}
  let smaller: Picture | undefined
  for (const width of PAGE_WIDTHS) {
    const candidates = outputs.flatMap(({ width: own, contentType }, i): Picture[] =>
      own === width ? [{ contentType, bytes: written[i] ?? Buffer.alloc(0) }] : [],
    )
    const fine = candidates.slice(0, 2).filter(isUsable)
    const [best] = fine.sort((a, b) => a.bytes.length - b.bytes.length)
    const picture = best ?? candidates.slice(2).find(isUsable) ?? smaller
    if (!picture) throw new CannotBeShown('too_large')
    pictures[width] = picture
    smaller = picture
  }
  return pictures
}

const isUsable = ({ bytes }: Picture) => bytes.length > 0 && bytes.length <= PAGE_PICTURE_MAX_BYTES
