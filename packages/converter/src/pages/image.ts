import { readFile } from 'node:fs/promises'
import { IMAGE_MAX_PIXELS } from '@lectern/protocol'
import type { Sandbox } from '../sandbox/index.ts'
import { CannotBeShown, reasonOf } from './failure.ts'
import type { DrawnPage } from './page.ts'
import { HEIGHT_MAX, scale, WIDTH_MAX } from './pictures.ts'
import { firstPicture } from './webp.ts'

const DEMUXERS: Record<string, string> = {
  'image/png': 'png_pipe',
  'image/jpeg': 'jpeg_pipe',
  'image/webp': 'webp_pipe',
}
const WITHIN_MS = 20_000
const MAX_BYTES = 64_000_000

/** The one page of an image, of an animated one its first picture, upright, and without what cameras add to it. Throws CannotBeShown. */
export async function drawImage(
  sandbox: Sandbox,
  file: string,
  contentType: string,
  signal?: AbortSignal,
): Promise<DrawnPage> {
  const demuxer = DEMUXERS[contentType]
  if (!demuxer) throw new CannotBeShown('unsupported')
  const document = await readFile(file)
  // Even of a line of pixels something remains.
  const by = `min(1,min(${WIDTH_MAX}/iw,${HEIGHT_MAX}/ih))`
  const fit = `scale=w='max(1,round(iw*${by}))':h='max(1,round(ih*${by}))':flags=area`
  const result = await sandbox.run(
    {
      command: [
        ...['ffmpeg', '-v', 'error', '-nostdin', '-threads', '1'],
        ...['-f', demuxer, '-max_pixels', String(IMAGE_MAX_PIXELS), '-i', 'pipe:0'],
        ...['-vf', fit, '-frames:v', '1', '-c:v', 'pam', '-pix_fmt', 'rgba', '-f', 'image2pipe', 'pipe:1'],
      ],
      stdin: contentType === 'image/webp' ? firstPicture(document) : document,
      withinMs: WITHIN_MS,
      maxBytes: MAX_BYTES,
    },
    signal,
  )
  const bytes = result.outputs[0] ?? Buffer.alloc(0)
  const [, width, height] =
    /WIDTH (\d+)\nHEIGHT (\d+)\n/.exec(bytes.subarray(0, 100).toString('latin1')) ?? []
  // Some decoders report errors and return what they have.
  if (result.code !== 0 || !width || !height) throw new CannotBeShown(reasonOf(result))
  const size = { width: Number(width), height: Number(height) }
  const pictures = await scale(sandbox, { bytes, format: 'pam_pipe', size }, WITHIN_MS, signal)
  return { size, pictures, lines: [] }
}
