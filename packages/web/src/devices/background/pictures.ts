import type { PictureName } from './choice.ts'

/** In the middle of the scale of usual cameras. */
export const PICTURE_SIZE = { width: 1280, height: 720 }

type Drawing = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'createLinearGradient'
  | 'createRadialGradient'
  | 'ellipse'
  | 'fill'
  | 'fillRect'
  | 'fillStyle'
  | 'lineTo'
  | 'moveTo'
  | 'quadraticCurveTo'
  | 'restore'
  | 'save'
  | 'scale'
>
type Colour = string
type Stop = readonly [number, Colour]

/** Draws a picture, `width` pixels wide. It is code, so it costs a visitor nothing to load. */
export function drawPicture(drawing: Drawing, name: PictureName, width: number): void {
  drawing.save()
  drawing.scale(width / PICTURE_SIZE.width, width / PICTURE_SIZE.width)
  draw[name](drawing)
  drawing.restore()
}

/** Each in units of PICTURE_SIZE. They are calm, darker at the sides, and without text: others see them unmirrored. */
const draw: Record<PictureName, (canvas: Drawing) => void> = {
  library(canvas) {
    wash(canvas, [0, '#3b2a20'], [1, '#2a1d16'])
    const random = sequence(7)
    const colours = ['#7d3b2e', '#3f5648', '#2f4660', '#b08a4f', '#5b3a4a', '#8a6a4a', '#46402f']
    for (let shelf = 0; shelf < 4; shelf++) {
      const floor = 172 + shelf * 182
      box(canvas, 0, floor - 150, 1280, 150, '#231812')
      for (let x = 12; x < 1270; ) {
        const width = 18 + random() * 26
        const height = 92 + random() * 46
        if (random() < 0.07) x += 50
        else box(canvas, x, floor - height, width - 3, height, colours[Math.floor(random() * colours.length)])
        x += width
      }
      box(canvas, 0, floor, 1280, 22, '#5a4130')
      box(canvas, 0, floor, 1280, 4, '#76563f')
    }
    light(canvas, 640, 240, 700, 'rgba(255, 214, 150, 0.22)', 'rgba(20, 10, 4, 0.35)')
  },
  window(canvas) {
    wash(canvas, [0, '#e9e4db'], [1, '#d6cec1'])
    box(canvas, 140, 70, 470, 430, '#ffffff')
    gradient(canvas, 156, 86, 438, 398, [0, '#a9cdea'], [0.62, '#e4f0f6'], [0.63, '#a9c39a'], [1, '#7f9f72'])
    box(canvas, 368, 86, 14, 398, '#ffffff')
    box(canvas, 156, 276, 438, 12, '#ffffff')
    box(canvas, 120, 500, 510, 22, '#f6f3ee')
    gradient(canvas, 60, 40, 110, 600, [0, '#f7f1e6'], [1, '#ddd2c0'])
    gradient(canvas, 580, 40, 110, 600, [0, '#f7f1e6'], [1, '#ddd2c0'])
    box(canvas, 860, 150, 250, 180, '#8c6f55')
    gradient(canvas, 874, 164, 222, 152, [0, '#f2d9b8'], [0.6, '#d99a78'], [1, '#8a5a66'])
    box(canvas, 0, 640, 1280, 80, '#b89f83')
    light(canvas, 380, 260, 800, 'rgba(255, 255, 255, 0.3)', 'rgba(90, 70, 50, 0.16)')
  },
  plants(canvas) {
    wash(canvas, [0, '#dfe6dc'], [1, '#c3cfc0'])
    box(canvas, 0, 610, 1280, 110, '#9b8166')
    for (const [x, y, size, hue] of [
      [110, 600, 1.5, '#3f6b4a'],
      [300, 620, 0.9, '#5c8a57'],
      [1010, 620, 1, '#4f7d55'],
      [1190, 600, 1.6, '#38624a'],
    ] as const) {
      for (let leaf = -4; leaf <= 4; leaf++) {
        const tip = { x: x + leaf * 46 * size, y: y - (330 - Math.abs(leaf) * 46) * size }
        blade(canvas, { x, y: y - 40 * size }, tip, 26 * size, leaf % 2 ? hue : '#6f9a66')
      }
      pot(canvas, x, y, size)
    }
    light(canvas, 640, 200, 760, 'rgba(255, 255, 255, 0.35)', 'rgba(40, 60, 40, 0.18)')
  },
  dusk(canvas) {
    wash(canvas, [0, '#2c3566'], [0.45, '#8a5f8f'], [0.7, '#e59a83'], [1, '#f4cf9f'])
    light(canvas, 880, 500, 300, 'rgba(255, 240, 200, 0.9)', 'rgba(255, 220, 170, 0)')
    hills(canvas, 560, 70, 3, '#6b5579')
    hills(canvas, 610, 50, 5, '#4a4166')
    hills(canvas, 660, 36, 2, '#2d2c4a')
  },
  waves(canvas) {
    wash(canvas, [0, '#e8eef7'], [1, '#cbd9ec'])
    const colours = ['#b9cbe6', '#a2bbdf', '#86a5d3', '#6a8ec4', '#4f76b1']
    colours.forEach((colour, index) => {
      hills(canvas, 300 + index * 90, 60, 1 + index * 0.7, colour)
    })
  },
  classroom(canvas) {
    wash(canvas, [0, '#efe9dd'], [1, '#e0d6c5'])
    box(canvas, 190, 70, 900, 380, '#9a7650')
    gradient(canvas, 208, 88, 864, 344, [0, '#35584a'], [1, '#2b4a3e'])
    box(canvas, 208, 432, 864, 18, '#7f5f3f')
    for (const x of [260, 300, 960]) box(canvas, x, 424, 26, 8, '#f4f1ea')
    box(canvas, 0, 600, 1280, 120, '#c2a27c')
    box(canvas, 30, 360, 110, 250, '#a9835a')
    for (const y of [440, 520]) box(canvas, 38, y, 94, 6, '#8a6844')
    globe(canvas, 85, 318)
    box(canvas, 1150, 120, 90, 120, '#f7f4ee')
    box(canvas, 1158, 128, 74, 70, '#d58f6a')
    light(canvas, 640, 200, 820, 'rgba(255, 255, 255, 0.18)', 'rgba(80, 60, 30, 0.14)')
  },
}

function box(canvas: Drawing, x: number, y: number, width: number, height: number, fill = '#46402f'): void {
  canvas.fillStyle = fill
  canvas.fillRect(x, y, width, height)
}

/** From above to below. */
function gradient(
  canvas: Drawing,
  x: number,
  y: number,
  width: number,
  height: number,
  ...stops: Stop[]
): void {
  const fill = canvas.createLinearGradient(0, y, 0, y + height)
  for (const [at, colour] of stops) fill.addColorStop(at, colour)
  canvas.fillStyle = fill
  canvas.fillRect(x, y, width, height)
}

const wash = (canvas: Drawing, ...stops: Stop[]) =>
  gradient(canvas, 0, 0, PICTURE_SIZE.width, PICTURE_SIZE.height, ...stops)

/** Over everything. */
function light(canvas: Drawing, x: number, y: number, radius: number, inner: Colour, outer: Colour): void {
  const fill = canvas.createRadialGradient(x, y, 0, x, y, radius)
  fill.addColorStop(0, inner)
  fill.addColorStop(1, outer)
  canvas.fillStyle = fill
  canvas.fillRect(0, 0, PICTURE_SIZE.width, PICTURE_SIZE.height)
}

function hills(canvas: Drawing, y: number, height: number, phase: number, fill: Colour): void {
  canvas.beginPath()
  canvas.moveTo(0, PICTURE_SIZE.height)
  for (let x = 0; x <= PICTURE_SIZE.width; x += 16)
    canvas.lineTo(x, y + height * (Math.sin(x / 210 + phase) + 0.4 * Math.sin(x / 90 + phase * 2)))
  canvas.lineTo(PICTURE_SIZE.width, PICTURE_SIZE.height)
  canvas.fillStyle = fill
  canvas.fill()
}

interface Point {
  x: number
  y: number
}

/** A long leaf. */
function blade(canvas: Drawing, root: Point, tip: Point, width: number, fill: Colour): void {
  const middle = { x: (root.x + tip.x) / 2, y: (root.y + tip.y) / 2 - width }
  canvas.beginPath()
  canvas.moveTo(root.x, root.y)
  canvas.quadraticCurveTo(middle.x - width, middle.y, tip.x, tip.y)
  canvas.quadraticCurveTo(middle.x + width, middle.y, root.x, root.y)
  canvas.fillStyle = fill
  canvas.fill()
}

function pot(canvas: Drawing, x: number, y: number, size: number): void {
  canvas.beginPath()
  canvas.moveTo(x - 58 * size, y - 46 * size)
  canvas.lineTo(x + 58 * size, y - 46 * size)
  canvas.lineTo(x + 42 * size, y + 50 * size)
  canvas.lineTo(x - 42 * size, y + 50 * size)
  canvas.fillStyle = '#b5714f'
  canvas.fill()
}

function globe(canvas: Drawing, x: number, y: number): void {
  for (const [dx, dy, rx, ry, fill] of [
    [0, 0, 40, 40, '#6f9cc0'],
    [-12, -10, 16, 12, '#8fae7c'],
    [14, 12, 12, 16, '#8fae7c'],
  ] as const) {
    canvas.beginPath()
    canvas.ellipse(x + dx, y + dy, rx, ry, 0, 0, 2 * Math.PI)
    canvas.fillStyle = fill
    canvas.fill()
  }
}

/** The same numbers each time, from 0 to 1. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}
