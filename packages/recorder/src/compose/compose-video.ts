import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { videoCodec } from '../frames/codecs.ts'
import type { TrackReader } from '../tracks/track-reader.ts'
import type { TimedFrame, VideoTrack } from '../tracks/video-track.ts'
import { ivfFrame, ivfHead } from './ivf.ts'
import { drawLabels } from './labels.ts'
import type { Tile } from './layout.ts'
import { BACKGROUND, CARD, FPS, FRAME_MS, HEIGHT, WIDTH } from './picture.ts'
import type { Scene } from './scenes.ts'

/** A picture is shown in the frame that is nearest to it. */
const HALF_FRAME_MS = FRAME_MS / 2

/** Parameters are the same in each scene, so that all together are one stream; each begins with a key frame. */
const ENCODER = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '25', '-pix_fmt', 'yuv420p', '-threads', '1'],
  ...['-bf', '0', '-g', String(10 * FPS), '-x264-params', 'repeat-headers=1:scenecut=0'],
  ...['-maxrate', '4M', '-bufsize', '8M'],
]

/** Writes what ffmpeg reads to make the scene into the folder, and says how it is called. */
export async function prepareScene(
  folder: string,
  name: string,
  scene: Scene,
  startedAtMs: number,
  tracks: Map<string, TrackReader>,
): Promise<string[]> {
  const inputs: string[] = []
  const filters: string[] = []
  let picture = `color=c=0x${BACKGROUND}:s=${WIDTH}x${HEIGHT}:r=${FPS},trim=end_frame=${scene.to - scene.from}[base]`
  let last = 'base'
  const fromMs = startedAtMs + scene.from * FRAME_MS
  const toMs = startedAtMs + scene.to * FRAME_MS
  for (const tile of scene.tiles) {
    const track = tile.video === null ? undefined : tracks.get(tile.video)
    if (track?.media.kind !== 'video') continue
    const frames = framesFor(track.media, fromMs, toMs)
    const fourCc = videoCodec(track.head.codec.mimeType)?.fourCc
    const [first] = frames
    if (!first || !fourCc) continue
    const place = inputs.length
    const file = `${name}-${place}.ivf`
    await writeFile(
      join(folder, file),
      Buffer.concat([ivfHead(fourCc), ...frames.map(frame => ivfFrame(frame, first.atMs))]),
    )
    inputs.push(file)
    filters.push(
      `[${place}:v]setpts=PTS-${Math.round(fromMs - first.atMs + HALF_FRAME_MS)}/(1000*TB),${fit(tile)}[t${place}]`,
      `[${last}][t${place}]overlay=${tile.x}:${tile.y}:eof_action=repeat[o${place}]`,
    )
    last = `o${place}`
  }
  picture = [picture, ...filters, `[${last}]ass=${name}.ass,format=yuv420p[out]`].join(';')
  await writeFile(join(folder, `${name}.ass`), drawLabels(scene.tiles))
  return [
    ...['-filter_complex_threads', '1'],
    ...inputs.flatMap(file => ['-threads', '1', '-reinit_filter', '0', '-f', 'ivf', '-i', file]),
    ...['-filter_complex', picture, '-map', '[out]', ...ENCODER],
    ...['-frames:v', String(scene.to - scene.from), '-f', 'matroska', `${name}.mkv`],
  ]
}

/** From the key frame that is needed for the first moment on. */
function framesFor({ frames }: VideoTrack, fromMs: number, toMs: number): TimedFrame[] {
  const before = frames.findLastIndex(frame => frame.isKey && frame.atMs <= fromMs)
  const start = before >= 0 ? before : frames.findIndex(frame => frame.isKey)
  return start < 0 ? [] : frames.slice(start).filter(frame => frame.atMs < toMs)
}

/** Whatever size a picture has, and changes to: it is shown whole. */
function fit({ is, width, height }: Tile): string {
  const flags = is === 'screen' ? 'bicubic' : 'fast_bilinear'
  return [
    `scale=${width}:${height}:flags=${flags}:force_original_aspect_ratio=decrease:force_divisible_by=2:eval=frame`,
    `pad=${width}:${height}:-1:-1:color=0x${CARD}:eval=frame`,
    'setsar=1',
    'format=yuv420p',
  ].join(',')
}
