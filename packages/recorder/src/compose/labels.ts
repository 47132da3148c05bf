import { initialsOf, shortened } from '@lectern/common'
import type { Tile } from './layout.ts'
import { BACKGROUND, CARD, WIDTH } from './video-format.ts'

/** Muted colours with sufficient contrast to white text. */
const COLOURS = ['4a5a82', '5b4f7d', '3f6b63', '7a5547', '6a4a6b', '4d6a45', '70603f', '3e6278']

/** Backgrounds of all tiles, and portraits in tiles without video. */
export const drawCards = (tiles: Tile[], height: number) =>
  draw(
    tiles.flatMap(tile => [drawCard(tile), ...(tile.video === null ? drawPortrait(tile) : [])]),
    height,
  )

/** Name labels on video tiles. */
export const drawNames = (tiles: Tile[], height: number) =>
  draw(
    tiles.flatMap(tile => (tile.video === null ? [] : drawName(tile))),
    height,
  )

/** An ASS subtitle file for pictures of that height, which supports every script and needs no escaping in filter strings. */
function draw(lines: string[], height: number): string {
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${WIDTH}`,
    `PlayResY: ${height}`,
    'WrapStyle: 2',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    `Style: Shape,Sans,20,${colour('ffffff')},${colour('ffffff')},${colour('000000')},${colour('000000')},0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,1`,
    `Style: Letters,Sans,20,${colour('ffffff')},${colour('ffffff')},${colour('000000')},${colour('000000')},1,0,0,0,100,100,0,0,1,0,0,5,0,0,0,-1`,
    // The last value, the encoding: -1 takes the direction of a text from its letters, where 1 would be left to right.
    // Border style 4: one box per line.
    `Style: Name,Sans,20,${colour('ffffff')},${colour('ffffff')},${colour('000000')},&H90000000,0,0,0,0,100,100,0,0,4,0,5,1,0,0,0,-1`,
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    ...lines,
    '',
  ].join('\n')
}

const drawCard = ({ x, y, width, height }: Tile) =>
  line(0, 'Shape', `{\\pos(${x},${y})\\1c${colour(CARD)}\\p1}${rectangle(width, height)}{\\p0}`)

function drawPortrait(tile: Tile): string[] {
  const { width, height } = tile
  const radius = Math.round(Math.min(width, height) * 0.24)
  const at = { x: tile.x + width / 2, y: tile.y + height / 2 }
  const corner = `${at.x - radius},${at.y - radius}`
  const disc = `{\\an7\\pos(${corner})\\1c${tileColour(tile.colour)}\\p1}${circle(radius)}{\\p0}`
  return [
    line(1, 'Shape', disc),
    line(2, 'Letters', `{\\an5\\pos(${at.x},${at.y})\\fs${radius}}${lettersOf(tile.name)}`),
    ...drawName(tile),
  ]
}

function drawName({ name, x, y, width, height }: Tile): string[] {
  const size = Math.max(16, Math.min(24, Math.round(width / 24)))
  const shown = shortened(name, Math.floor((width - 40) / (size * 0.62)))
  if (shown === '') return []
  return [line(3, 'Name', `{\\an1\\pos(${x + 14},${y + height - 12})\\fs${size}}${plain(shown)}`)]
}

const line = (layer: number, style: string, text: string) =>
  `Dialogue: ${layer},0:00:00.00,9:59:59.99,${style},,0,0,0,,${text}`

/** ASS colours are in BGR order. */
const colour = (rgb: string) => `&H${rgb.slice(4)}${rgb.slice(2, 4)}${rgb.slice(0, 2)}&`.toUpperCase()

const tileColour = (choice: number) => colour(COLOURS[choice % COLOURS.length] ?? BACKGROUND)

const rectangle = (width: number, height: number) => `m 0 0 l ${width} 0 ${width} ${height} 0 ${height}`

function circle(radius: number): string {
  const r = radius
  const k = Math.round(r * 0.5523) // a quarter of a circle as a Bézier curve
  const d = 2 * r
  return [
    `m ${r} 0 b ${r + k} 0 ${d} ${r - k} ${d} ${r}`,
    `b ${d} ${r + k} ${r + k} ${d} ${r} ${d}`,
    `b ${r - k} ${d} 0 ${r + k} 0 ${r}`,
    `b 0 ${r - k} ${r - k} 0 ${r} 0`,
  ].join(' ')
}

/** Names are untrusted: removes control characters, line breaks, direction overrides and ASS commands. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}')
}

/** The initials, unless they are emojis: the fonts of subtitles have none. */
const lettersOf = (name: string): string => initialsOf(name).replace(/[^\p{L}\p{M}\p{N}\u200c]/gu, '')
