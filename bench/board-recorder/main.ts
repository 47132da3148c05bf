/**
 * `npm run board-recorder -w bench`: how much of a core the board takes in a recording while somebody draws on a page that has
 * strokes already. The aim is 0.05.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boardCost } from '@lectern/recorder/testing'
import { size } from '../support/size.ts'
import { spread } from '../support/statistics.ts'

const ROUNDS = size('ROUNDS', 3, 1)
const SECONDS = size('SECONDS', 60, 2)
const STROKES = size('STROKES', 2_000, 20)
/** One person draws about two strokes a second. */
const INTERVALS_MS = [1_000, 500, 250]

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
try {
  for (const everyMs of INTERVALS_MS) {
    const costs: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const place = mkdtempSync(join(folder, 'lesson-'))
      const cost = await boardCost({ folder: place, seconds: SECONDS, strokes: STROKES, everyMs })
      if (round > 0) costs.push(cost) // the first one is a warm-up
    }
    console.log(`${1_000 / everyMs} strokes a second: ${spread(costs, 3)} of a core`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
