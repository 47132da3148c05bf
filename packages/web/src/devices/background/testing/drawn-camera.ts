/** A camera with a drawn person, whom the model recognises, before a known room. */

const FRAME_MS = 40
const SKIN = '#e0ac8c'
const SHADE = '#be9277'
const HAIR = '#3c281e'
const SHIRT = '#284678'

type Ellipse = readonly [x: number, y: number, width: number, height: number, colour: string]

/** In units of a frame of 1024x576. No colour has more red and blue than green, as `ROOM` has. */
const person: Ellipse[] = [
  [512, 200, 240, 260, HAIR],
  [512, 360, 90, 160, SHADE],
  [512, 650, 560, 500, SHIRT],
  [512, 400, 120, 60, SHADE],
  [512, 220, 190, 250, SKIN],
  [470, 206, 40, 22, '#fafafa'],
  [554, 206, 40, 22, '#fafafa'],
  [470, 206, 18, 20, HAIR],
  [554, 206, 18, 20, HAIR],
  [470, 176, 48, 8, HAIR],
  [554, 176, 48, 8, HAIR],
  [512, 252, 24, 24, SHADE],
  [512, 295, 70, 20, '#aa5b50'],
]

/** Magenta: no colour of the person and of the picture "plants" has as much red and blue beside as little green. */
const ROOM = '#ff00ff'

interface Options {
  width?: number
  height?: number
  /** Squares that alternate with the room's. */
  pattern?: string
}

/** A live track, and what is drawn. The person moves from side to side. */
export function openDrawnCamera({ width = 640, height = 360, pattern }: Options = {}) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const drawing = canvas.getContext('2d') as CanvasRenderingContext2D
  let frames = 0
  const draw = () => {
    const { width, height } = canvas
    drawing.fillStyle = ROOM
    drawing.fillRect(0, 0, width, height)
    if (pattern) drawSquares(drawing, pattern)
    const scale = Math.min(width / 640, height / 576)
    const sway = Math.sin(frames++ / 4) * 40
    for (const [x, y, across, down, colour] of person) {
      drawing.beginPath()
      drawing.ellipse(
        width / 2 + (x - 512 + sway) * scale,
        height + (y - 576) * scale,
        (across / 2) * scale,
        (down / 2) * scale,
        0,
        0,
        7,
      )
      drawing.fillStyle = colour
      drawing.fill()
    }
  }
  draw()
  const [track] = canvas.captureStream().getVideoTracks()
  const timer = setInterval(draw, FRAME_MS)
  return { track: track as MediaStreamTrack, canvas, close: () => clearInterval(timer) }
}

const SQUARE = 10

function drawSquares(drawing: CanvasRenderingContext2D, colour: string): void {
  const { width, height } = drawing.canvas
  drawing.fillStyle = colour
  for (let y = 0; y < height; y += SQUARE)
    for (let x = (y % (2 * SQUARE)) as number; x < width; x += 2 * SQUARE)
      drawing.fillRect(x, y, SQUARE, SQUARE)
}

/** The next frames of a track, as pixels. */
export async function readFrames(track: MediaStreamTrack, count: number): Promise<ImageData[]> {
  const video = Object.assign(document.createElement('video'), {
    muted: true,
    srcObject: new MediaStream([track]),
  })
  document.body.append(video)
  const frames: ImageData[] = []
  const canvas = document.createElement('canvas')
  const drawing = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
  await video.play()
  while (frames.length < count) {
    await new Promise(resolve => video.requestVideoFrameCallback(resolve))
    const { videoWidth: width, videoHeight: height } = video
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    drawing.drawImage(video, 0, 0)
    frames.push(drawing.getImageData(0, 0, width, height))
  }
  video.remove()
  return frames
}

/** How much of magenta is in the pixel that has most of it: 0 to 255. */
export function mostMagenta({ data }: ImageData): number {
  let most = 0
  for (let at = 0; at < data.length; at += 4)
    most = Math.max(most, Math.min(data[at] ?? 0, data[at + 2] ?? 0) - (data[at + 1] ?? 0))
  return most
}

/** The largest difference of green between a pixel and the one a square further, at the upper edge, where no person is: 0 to 255. */
export function contrastOf({ data, width }: ImageData): number {
  let most = 0
  for (let at = 0; at < (width - SQUARE) * 4; at += 4)
    most = Math.max(most, Math.abs((data[at + 1] ?? 0) - (data[at + SQUARE * 4 + 1] ?? 0)))
  return most
}
