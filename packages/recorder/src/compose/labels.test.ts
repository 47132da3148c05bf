import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { drawCards, drawNames } from './labels.ts'
import { layOut } from './layout.ts'

const drawings = {
  'where the camera is off': (name: string) =>
    drawCards(layOut([{ name, colour: 1, video: null }], null), 720),
  'in a frame': (name: string) => drawNames(layOut([{ name, colour: 1, video: '1.rtp' }], null), 720),
}

it.each(Object.entries(drawings))('neutralises control sequences in names, %s', (_, drawn) => {
  for (const name of [
    'a\nDialogue: 0,x',
    'a\r\nb',
    '{\\p1}m 0 0',
    'a\\Nb',
    '\u2028b',
    '\u202eabc',
    '}{\\fs900}',
  ]) {
    const text = drawn(name)
    expect(text.split(/[\r\n\u2028]/)).toHaveLength(drawn('plain').split('\n').length)
    const label = text.split('\n').find(line => line.includes(',Name,,')) ?? ''
    const written = label.replace(/^.*?\\fs\d+\}/, '')
    expect(written).not.toMatch(/(?<!\\)[{}]/)
    expect(written).not.toMatch(/\\(?![{}\u2060])/)
    expect(written).not.toContain('\u202e')
  }
})

it.each([
  ['Anna Petrova', 'AP'],
  ['ليلى حداد', 'ل\u200cح'],
  ['{🎈} b', 'B'],
  ['👩🏽‍🏫', ''],
])('shows the initials of %j in place of a camera, and no emoji', (name, letters) => {
  const lines = drawings['where the camera is off'](name).split('\n')
  expect(lines.find(line => line.includes(',Letters,,'))).toMatch(new RegExp(`\\\\fs\\d+\\}${letters}$`, 'u'))
})

it('writes names from right to left as a whole, with their punctuation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-labels-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const render = (name: string) => {
    const [ass, image] = ['names.ass', 'names.ppm'].map(file => join(folder, file)) as [string, string]
    writeFileSync(ass, drawings['in a frame'](name))
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `color=black:s=1280x720,ass=${ass}`],
      ...['-frames:v', '1', image],
    ])
    return readFileSync(image)
  }
  const mark = '\u200f' // what is between two of them is from right to left
  const name = 'عمار (ب)!'
  expect(render(name).equals(render('Ammar (B)!'))).toBe(false)
  expect(render(name).equals(render(mark + name + mark))).toBe(true)
})
