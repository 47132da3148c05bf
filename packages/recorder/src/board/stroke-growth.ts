import { type BoardElement, POINT_NUMBERS } from '@lectern/protocol/control/client'
import type { LogLine } from '../session/log-reader.ts'

/** How a stroke has grown: how many of its points were there, and since when, in Unix milliseconds. Times ascend. */
export type Growth = readonly (readonly [points: number, atMs: number])[]

export const elementsIn = ({ name, body }: Pick<LogLine, 'name' | 'body'>): BoardElement[] =>
  name === 'board.elements' ? (body.elements as unknown as BoardElement[]) : []

/** When a logged element was begun. */
export const begunAtMs = (line: LogLine, element: BoardElement): number =>
  growthOf(line, element)?.[0]?.[1] ?? line.at_ms - durationOf(element)

/** Of live ink: what arrives was drawn since then at the most, and before that the pen rested. */
const INK_MS = 200

/** The part of a stroke that was there at a time before it was logged, from 0 to 1. Without live ink it has grown evenly. */
export function partAt(line: LogLine, element: BoardElement, atMs: number): number {
  if (element.kind !== 'stroke' && element.kind !== 'marker') return 0
  const count = element.data.points.length / POINT_NUMBERS
  const growth = growthOf(line, element)
  const steps = [...(growth ?? [[0, begunAtMs(line, element)] as const]), [count, line.at_ms] as const]
  const next = steps.findIndex(step => step[1] > atMs)
  const [before, after] = [steps[next - 1], steps[next]]
  if (!before || !after) return 0
  const sinceMs = growth ? Math.max(before[1], after[1] - INK_MS) : before[1]
  const part = Math.max((atMs - sinceMs) / (after[1] - sinceMs), 0)
  return Math.min((before[0] + (after[0] - before[0]) * part) / count, 1)
}

const growthOf = ({ body }: LogLine, { element_id }: BoardElement): Growth | undefined =>
  (body.grown as Record<string, Growth> | undefined)?.[element_id]

const durationOf = (element: BoardElement): number =>
  element.kind === 'stroke' || element.kind === 'marker' ? element.data.duration_ms : 0
