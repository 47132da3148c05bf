import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, it } from 'vitest'
import { ReportLog } from './report-log.ts'

it('has no paths of the machine in report.jsonl, which partners read; the log of the process has them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'Äpfel & (1) lectern-report-'))
  const lines: string[] = []
  const log = new ReportLog(folder, pino({}, { write: line => void lines.push(line) }))
  const error = [
    `Error: ENOENT, open '${folder}/tracks/7.ogg', spawn /opt/media-tools/bin/ffmpeg; 1/2 of https://a.b/c/d`,
    'file:///srv/Schüler/x.js, concat:/srv/~lectern/a.ogg|/srv/b, v0.1/b.ogg',
  ].join()
  log.add('failed', { error, what: 'compose', free_bytes: 7, files: [`${folder}/a.ogg`] })
  log.flush()
  const written = JSON.parse(readFileSync(join(folder, 'report.jsonl'), 'utf8'))
  rmSync(folder, { recursive: true })
  expect(written.body ?? written).toMatchObject({
    error:
      "Error: ENOENT, open 'tracks/7.ogg', spawn ffmpeg; 1/2 of https://a.b/c/d,file://x.js, concat:a.ogg|b, v0.1/b.ogg",
    what: 'compose',
    free_bytes: 7,
    files: ['a.ogg'],
  })
  expect(lines.join()).toContain(folder)
})

it('lists dropped lines of the board among the troubles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-report-'))
  const log = new ReportLog(folder, pino({ level: 'silent' }))
  log.add('board_dropped', { count: 3, from_ms: 1, to_ms: 2 })
  const { troubles } = log.summary()
  rmSync(folder, { recursive: true })
  expect(troubles).toMatchObject([{ name: 'board_dropped', body: { count: 3 } }])
})
