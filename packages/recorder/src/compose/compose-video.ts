import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { videoCodec } from '../frames/codecs.ts'
import type { TrackReader } from '../tracks/track-reader.ts'
import type { TimedFrame, VideoTrack } from '../tracks/video-track.ts'
import type { FfmpegStep } from './command.ts'
import { ivfFrame, ivfHead } from './ivf.ts'
import { drawCards, drawNames } from './labels.ts'
import type { Tile } from './layout.ts'
import type { Scene } from './scenes.ts'
import { BACKGROUND, FPS, FRAME_MS, HEIGHT, WIDTH } from './video-format.ts'

/** A frame is shown at the nearest output frame. */
const HALF_FRAME_MS = FRAME_MS / 2

/**
 * The same parameters for each scene, so that all scenes form one stream; each begins with a key frame. Constant quality,
 * because rate control would cost a third more time and the senders' bitrates bound the size anyway.
 */
const ENCODER = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '25', '-pix_fmt', 'yuv420p', '-threads', '1'],
  ...['-bf', '0', '-g', String(10 * FPS), '-x264-params', 'repeat-headers=1:scenecut=0'],
]

/** Writes the input files of a scene and returns the ffmpeg step. */
export async function prepareScene(
  folder: string,
  name: string,
  scene: Scene,
  startedAtMs: number,
  tracks: Map<string, TrackReader>,
): Promise<FfmpegStep> {
  const length = scene.to - scene.from
  const fromMs = startedAtMs + scene.from * FRAME_MS
  const toMs = startedAtMs + scene.to * FRAME_MS
  const inputs: string[][] = []
  const shown: string[] = []
  for (const tile of scene.tiles) {
    const track = tile.video === null ? undefined : tracks.get(tile.video)
    if (track?.media.kind !== 'video') continue
    const frames = framesFor(track.media, fromMs, toMs)
    const codec = videoCodec(track.head.codec.mimeType)
    const [first] = frames
    if (!first || !codec) continue
    const file = `${name}-${inputs.length}.ivf`
    await writeFile(
      join(folder, file),
      Buffer.concat([ivfHead(codec.fourCc), ...frames.map(frame => ivfFrame(frame, first.atMs))]),
    )
    const decoder = codec.decoder === undefined ? [] : ['-c:v', codec.decoder]
    inputs.push(['-threads', '1', '-reinit_filter', '0', ...decoder, '-f', 'ivf', '-i', file])
    const late = Math.round(fromMs - first.atMs + HALF_FRAME_MS)
    shown.push(
      `setpts=PTS-${late}/(1000*TB),${fit(tile)}[t];[o][t]overlay=${centred(tile)}:eof_action=repeat`,
    )
  }
  await writeFile(join(folder, `${name}-cards.ass`), drawCards(scene.tiles))
  await writeFile(join(folder, `${name}-names.ass`), drawNames(scene.tiles))
  // Static content is drawn once and repeated.
  const oneFrame = `color=c=0x${BACKGROUND}:s=${WIDTH}x${HEIGHT}:r=${FPS}:d=${1 / FPS},ass=${name}-cards.ass`
  return {
    inputs,
    filter: firstInput =>
      [
        `${oneFrame},format=yuv420p,loop=loop=-1:size=1,trim=end_frame=${length}[o]`,
        ...shown.map((each, index) => `[${firstInput + index}:v]${each}[o]`),
        `[o]ass=${name}-names.ass,format=yuv420p[composed]`,
      ].join(';'),
    output: ['-map', '[composed]', ...ENCODER, '-frames:v', String(length), '-f', 'matroska', `${name}.mkv`],
  }
}

/** Starts with the key frame needed for the first output frame. */
function framesFor({ frames }: VideoTrack, fromMs: number, toMs: number): TimedFrame[] {
  const before = frames.findLastIndex(frame => frame.isKey && frame.atMs <= fromMs)
  const start = before >= 0 ? before : frames.findIndex(frame => frame.isKey)
  return start < 0 ? [] : frames.slice(start).filter(frame => frame.atMs < toMs)
}

/** Scales to fit without cropping; the frame size may change at any time. */
function fit({ is, width, height }: Tile): string {
  const flags = is === 'screen' ? 'bicubic' : 'fast_bilinear'
  return `scale=${width}:${height}:flags=${flags}:force_original_aspect_ratio=decrease:force_divisible_by=2:eval=frame`
}

/** Centred within its tile. */
const centred = ({ x, y, width, height }: Tile) => `${x}+(${width}-w)/2:${y}+(${height}-h)/2`
