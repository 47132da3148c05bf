import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Size } from '@lectern/worker-kit'
import type { BoardPictures } from '../board/board-pictures.ts'
import { videoCodec } from '../frames/codecs.ts'
import type { EncodedFrame } from '../frames/frame.ts'
import { vp8Size } from '../frames/vp8.ts'
import type { TrackReader } from '../tracks/track-reader.ts'
import { bandOf, MACROBLOCK } from './band.ts'
import { KEY_FRAME_INTERVAL } from './chunks.ts'
import type { FfmpegStep } from './command.ts'
import { ivfFrame, ivfHead, type TickedFrame } from './ivf.ts'
import { drawCards, drawNames } from './labels.ts'
import type { Tile } from './layout.ts'
import { packetsOf, type StoredPacket } from './packets.ts'
import { completePictures } from './pictures.ts'
import { placeFrames, TICKS } from './place-frames.ts'
import type { Scene } from './scenes.ts'
import { BACKGROUND, CARD, FPS, FRAME_MS, WIDTH } from './video-format.ts'

/**
 * The same parameters for each scene, so that all scenes form one stream; each begins with a key frame. Constant quality,
 * because rate control would cost a third more time and the senders' bitrates bound the size anyway.
 */
export const ENCODER = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '25', '-pix_fmt', 'yuv420p', '-threads', '1'],
  ...['-bf', '0', '-g', String(KEY_FRAME_INTERVAL), '-level', '3.1', '-enc_time_base', `1/${FPS}`],
  ...['-x264-params', `repeat-headers=1:scenecut=0:fps=${FPS}/1`],
]

/** 8K: a frame of the largest size that a codec permits would take gigabytes, and a participant may send it. */
const PIXELS_MAX = ['-max_pixels', String(7680 * 4320)]

/** A thread per input would only wait for the others. */
const WITHOUT_THREADS = ['-thread_queue_size', '0', '-threads', '1']

/** The video of a tile: frames from the beginning of the scene on. */
interface VideoSource {
  fourCc: string
  decoder?: string
  frames: Iterable<TickedFrame> | AsyncIterable<TickedFrame>
  /** Null if it changes or is not known. */
  size: Size | null
}

/** A camera that exceeds its tile by no more than this is cropped: scaling would blur it, and costs as much as decoding. */
const CROPPED_MOST = 1.04

/**
 * Writes the input files of a scene and returns the ffmpeg step, which encodes the band of the scene, and each frame that
 * shows something new. Each of its videos has a frame at its beginning.
 */
export async function prepareScene(
  folder: string,
  name: string,
  scene: Scene,
  startedAtMs: number,
  tracks: Map<string, TrackReader>,
  board: Pick<BoardPictures, 'pictures'> | null = null,
): Promise<FfmpegStep> {
  const length = scene.to - scene.from
  const fromMs = startedAtMs + scene.from * FRAME_MS
  const band = bandOf(scene.tiles)
  const top = band.from * MACROBLOCK
  const height = (band.to - band.from) * MACROBLOCK
  const tiles = scene.tiles.map(tile => ({ ...tile, y: tile.y - top }))
  const boardSource = (tile: Tile): VideoSource | null => {
    if (!board || tile.video === null) return null
    return { fourCc: 'I420', frames: boardFrames(board, fromMs, length, tile), size: tile }
  }
  const trackSource = (tile: Tile): VideoSource | null => {
    const track = tile.video === null ? undefined : tracks.get(tile.video)
    const codec = videoCodec(track?.head.codec.mimeType ?? '')
    if (track?.media.kind !== 'video' || !codec) return null
    const frames = placeFrames(track.media, fromMs, length)
    const { fourCc, decoder } = codec
    return { fourCc, frames, size: sizeOf(codec.name, frames), ...(decoder !== undefined && { decoder }) }
  }
  const inputs: string[][] = []
  const shown: { chain: string; at: string }[] = []
  for (const tile of tiles) {
    const source = tile.is === 'board' ? boardSource(tile) : trackSource(tile)
    if (!source) continue
    const file = `${name}-${inputs.length}.ivf`
    const first = await writeIvf(join(folder, file), ivfHead(source.fourCc, FPS * TICKS, tile), source.frames)
    if (!first) continue
    const decoder = source.decoder === undefined ? [] : ['-c:v', source.decoder]
    inputs.push([
      ...WITHOUT_THREADS,
      '-reinit_filter',
      '0',
      ...PIXELS_MAX,
      ...decoder,
      '-f',
      'ivf',
      '-i',
      file,
    ])
    // ffmpeg counts from the first timestamp of the file.
    const pick = `select=not(mod(pts+${first.ticks}\\,${TICKS})),setpts=PTS+${first.ticks - TICKS},settb=1/${FPS}`
    shown.push({ chain: `${pick},${fit(tile, source.size)}`, at: `${tile.x}_${tile.y}` })
  }
  await writeFile(join(folder, `${name}-cards.ass`), drawCards(tiles, height))
  await writeFile(join(folder, `${name}-names.ass`), drawNames(tiles, height))
  // Static content is drawn once. Copying tiles onto it costs less than overlaying them, which blends every pixel.
  const background = `color=c=0x${BACKGROUND}:s=${WIDTH}x${height}:r=${FPS}:d=${1 / FPS},ass=${name}-cards.ass,format=yuv420p`
  const videos = shown.map((_, index) => `[t${index}]`).join('')
  const layout = ['0_0', ...shown.map(({ at }) => at)].join('|')
  const composed = videos ? `[o];[o]${videos}xstack=inputs=${shown.length + 1}:layout=${layout}` : ''
  return {
    inputs,
    filter: firstInput =>
      [
        ...shown.map(({ chain }, index) => `[${firstInput + index}:v]${chain}[t${index}]`),
        `${background}${composed},ass=${name}-names.ass,format=yuv420p[composed]`,
      ].join(';'),
    output: ['-map', '[composed]', ...ENCODER, '-f', 'matroska', `${name}.mkv`],
  }
}

async function* boardFrames(
  board: Pick<BoardPictures, 'pictures'>,
  fromMs: number,
  length: number,
  tile: Tile,
): AsyncGenerator<TickedFrame> {
  for await (const { frame, i420 } of board.pictures(fromMs, length, tile))
    yield { data: i420, ticks: (frame + 1) * TICKS }
}

/** Writes one frame after the other: not all are in memory at once. Returns the first one; null: there is none. */
async function writeIvf(
  path: string,
  head: Buffer,
  frames: VideoSource['frames'],
): Promise<Pick<TickedFrame, 'ticks'> | null> {
  const file = await open(path, 'w')
  try {
    await file.appendFile(head)
    let first: Pick<TickedFrame, 'ticks'> | null = null
    for await (const frame of frames) {
      first ??= { ticks: frame.ticks }
      for (const part of ivfFrame(frame)) await file.appendFile(part)
    }
    return first
  } finally {
    await file.close()
  }
}

/** The whole pictures of a scene, one for each frame, of what ffmpeg has encoded. */
export async function sceneOf(file: string, { from, to, tiles }: Scene): Promise<StoredPacket[]> {
  const pictures = (await packetsOf(file)).map(({ data, isKey, seconds }) => ({
    ...{ data, isKey, frame: Math.round(seconds * FPS) },
  }))
  const packets = completePictures(pictures, bandOf(tiles), to - from)
  if (packets.length !== to - from) throw new Error(`ffmpeg made ${packets.length} of ${to - from} frames`)
  return packets
}

/** Makes each frame as large as its tile; the frame size may change at any time. */
function fit({ is, width, height }: Tile, size: Size | null): string {
  const exceeds = (has: number, needs: number) => has >= needs && has <= needs * CROPPED_MOST
  if (is === 'face' && size && exceeds(size.width, width) && exceeds(size.height, height))
    return `crop=${width}:${height}`
  const flags = is === 'screen' ? 'bicubic' : 'fast_bilinear'
  const scale = `scale=${width}:${height}:flags=${flags}:force_original_aspect_ratio=decrease:force_divisible_by=2:eval=frame`
  return `${scale},format=yuv420p,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=0x${CARD}:eval=frame`
}

/** The size of all frames; null if it changes or is not known. */
function sizeOf(codec: string, frames: EncodedFrame[]): Size | null {
  if (codec !== 'vp8') return null
  const [first, ...others] = frames.filter(({ isKey }) => isKey).map(({ data }) => vp8Size(data))
  const isSame = (size: Size | null) => size?.width === first?.width && size?.height === first?.height
  return first && others.every(isSame) ? first : null
}
