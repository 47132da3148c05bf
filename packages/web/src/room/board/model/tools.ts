import { Observable } from '@lectern/common'
import type { StoredValue } from '../../../stored-value.ts'

export const TOOLS = [
  'select',
  'pen',
  'marker',
  'eraser',
  'line',
  'arrow',
  'rectangle',
  'ellipse',
  'text',
  'laser',
] as const
export type Tool = (typeof TOOLS)[number]

/** Dark enough to be read on white; distinct also without red and green (Okabe and Ito). */
export const COLORS = {
  black: '#1c2a2b',
  blue: '#0062b1',
  red: '#b3261e',
  green: '#00785a',
  orange: '#c25700',
  purple: '#8a3a86',
} as const
export type ColorName = keyof typeof COLORS

/** In units. */
export const WIDTHS = { thin: 3, medium: 6, thick: 12 } as const
export type WidthName = keyof typeof WIDTHS

/** By how much a marker is wider than a pen, and a text higher. */
const MARKER_WIDTH = 5
const TEXT_SIZES = { thin: 24, medium: 36, thick: 56 } as const

export interface ToolState {
  tool: Tool
  color: ColorName
  width: WidthName
  /** Rectangles and ellipses have a surface. */
  isFilled: boolean
}

const FIRST: ToolState = { tool: 'pen', color: 'black', width: 'thin', isFilled: false }

/** The tools with which this person draws, also in the next lesson. */
export class Tools extends Observable<ToolState> {
  readonly #stored: StoredValue

  constructor(stored: StoredValue) {
    super({ ...FIRST, ...readStored(stored.get()) })
    this.#stored = stored
  }

  readonly choose = (changes: Partial<ToolState>): void => {
    this.set({ ...this.get(), ...changes })
    const { color, width } = this.get()
    this.#stored.set(JSON.stringify({ color, width }))
  }

  get color(): string {
    return COLORS[this.get().color]
  }

  get width(): number {
    const { tool, width } = this.get()
    return WIDTHS[width] * (tool === 'marker' ? MARKER_WIDTH : 1)
  }

  get textSize(): number {
    return TEXT_SIZES[this.get().width]
  }
}

function readStored(text: string | null): Partial<ToolState> {
  try {
    const { color, width } = JSON.parse(text ?? '{}') as { color?: string; width?: string }
    return {
      ...(color !== undefined && color in COLORS && { color: color as ColorName }),
      ...(width !== undefined && width in WIDTHS && { width: width as WidthName }),
    }
  } catch {
    return {}
  }
}
