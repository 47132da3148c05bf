import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (ending: RegExp) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => ending.test(file))
    .map(file => ({ file, text: readFileSync(root + file, 'utf8') }))

/** Declarations that may be physical, as `file: declaration`, and why. */
const EXCEPTIONS = new Map([
  ['prejoin/Preview.module.css: scale: -1 1', 'the own video is a mirror in every language'],
  ['ui/base.css: direction: inherit', 'of empty fields, which begin where the page does'],
  ['admin/overview/Charts.module.css: direction: ltr', 'time runs from left to right in charts'],
  ['room/pointer/PointerMark.module.css: translate: -50% -50%', 'a point of a video has no text'],
])

const NAMES =
  /^(left|right|float|clear|direction|(margin|padding|border|scroll-margin|scroll-padding)-(left|right).*|border-(top|bottom)-(left|right)-radius)$/

/** Whether a declaration would look wrong where the text runs from right to left. */
function isPhysical(name: string, value: string): boolean {
  // The notch of a phone is where it is.
  if (value.includes('env(safe-area-inset-')) return false
  if (NAMES.test(name)) return true
  if (name === 'text-align') return /left|right/.test(value)
  if (name === 'scale') return value.startsWith('-')
  if (name === 'translate') return !/^(0|none)\b/.test(value)
  if (name === 'transform') return /translate(X|3d)?\(/.test(value)
  const [first, right, , left] = value.split(/ +(?![^(]*\))/)
  if (name === 'border-radius') return right !== undefined && right !== first
  if (/^(margin|padding|inset|border-(width|color|style))$/.test(name))
    return left !== undefined && left !== right
  return false
}

it('styles are the same from right to left: they name no physical side', () => {
  const found = read(/\.css$/).flatMap(({ file, text }) => {
    // A rule for one direction is about sides.
    const rules = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/[^{}]*:dir\([^{}]*\{[^{}]*\}/g, '')
    return [...rules.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g)]
      .filter(([, name = '', value = '']) => isPhysical(name, value))
      .map(([, name, value]) => `${file}: ${name}: ${value}`)
  })
  expect(found.filter(each => !EXCEPTIONS.has(each))).toEqual([])
  expect([...EXCEPTIONS.keys()].filter(each => !found.includes(each))).toEqual([])
})

it('nothing moves for people who have asked for less motion (WCAG 2.3.3)', () => {
  // Elements that appear late move nowhere.
  const isStill = (value: string) => /^(none|visibility 0s|late|1ms|\w+ var\(--(quick|calm)\))/.test(value)
  const moving = read(/\.css$/).filter(({ text }) => {
    const motions = [...text.matchAll(/(?<=[{;]\s*)(?:animation|transition)(?:-duration)?:\s*([^;{}]+);/g)]
    const isFixed = ([, value = '']: RegExpExecArray) => /\d+m?s\b/.test(value) && !isStill(value)
    return motions.some(isFixed) && !text.includes('prefers-reduced-motion')
  })
  expect(moving.map(({ file }) => file)).toEqual([])
  const { text: tokens } = read(/tokens\.css$/)[0] as { text: string }
  expect(tokens).toMatch(/prefers-reduced-motion: reduce\) \{\s*:root \{\s*--quick: 1ms;\s*--calm: 1ms;/)
})

it('nothing is turned where a phone is held otherwise (WCAG 1.3.4)', () => {
  const turned = read(/\.css$/).filter(({ text }) =>
    [...text.matchAll(/@media[^{]*orientation[^{]*\{((?:[^{}]*\{[^{}]*\})*)/g)].some(([, rules = '']) =>
      /rotate|matrix/.test(rules),
    ),
  )
  expect(turned).toEqual([])
})

it('icons that point along the line of text are mirrored from right to left', () => {
  const imported = read(/\.tsx?$/).flatMap(({ text }) =>
    [...text.matchAll(/import \{([^}]*)\} from 'lucide-react'/g)].flatMap(([, names = '']) =>
      names.split(','),
    ),
  )
  const pointing = new Set(
    imported
      .map(name => name.trim().split(' ')[0] ?? '')
      .filter(name => /Left|Right|^Log(In|Out)$|^Send|^Reply|^Forward|^Undo|^Redo|^Skip/.test(name))
      .map(name => `lucide${name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`),
  )
  const base = readFileSync(`${root}ui/base.css`, 'utf8')
  const mirrored = [...base.matchAll(/\.(lucide-[\w-]+)/g)].map(([, name = '']) => name)
  expect([...pointing].sort()).toEqual(mirrored.sort())
  expect(isPhysical('padding', '0 1px 0 2px')).toBe(true)
  expect(isPhysical('padding', '0 1px 0 1px')).toBe(false)
})
