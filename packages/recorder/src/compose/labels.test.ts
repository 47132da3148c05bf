import { expect, it } from 'vitest'
import { drawLabels, initials } from './labels.ts'
import { layOut } from './layout.ts'

const drawn = (name: string) => drawLabels(layOut([{ name, colour: 1, video: null }], null))

it('lets no name end its line or command the renderer', () => {
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
  ['  ben  ', 'B'],
  ['Maria del Mar Sol', 'MS'],
  ['{x} (y)', 'XY'],
  ['🎈', ''],
  ['', ''],
])('takes the first letters of %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
