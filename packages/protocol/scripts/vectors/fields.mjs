import { example, exampleOf, structs } from './structs.mjs'
import { notAnArray, notAnObject, scalars } from './values.mjs'

/**
 * @typedef {{ name: string, path: string[], text: string, valid: boolean }} Change
 *   a message with one field changed: which field, the frame's text, and whether that is still valid
 */

const HOLE = '@hole@'

/** The first field of a type gets all values of the type; the others those of these names. */
const ESSENTIAL =
  /null|is a number|is a boolean|is empty|129|begins with a dot|maximum|leading zero|is 0$|2147483648|\d+ characters|another word/

/**
 * All single changes of a message: fields missing, unknown, and of every good and bad value.
 *
 * @param {string} key the top-level key
 * @param {object} fields
 * @returns {Change[]}
 */
export function changes(key, fields) {
  const seen = new Set()
  return [...ofStruct(key, fields, [], message => ({ [key]: message }))]

  /** `wrap` puts a changed struct into an otherwise right frame. */
  function* ofStruct(label, table, path, wrap) {
    const base = example(table)
    const frame = value => JSON.stringify(wrap(value))
    const unknown = [1, null]
    for (const value of unknown)
      yield {
        name: `${label} has an unknown property: ${value}`,
        path,
        text: frame({ ...base, unknown: value }),
        valid: false,
      }
    for (const [marked, field] of Object.entries(table)) {
      const name = marked.replace('?', '')
      const inner = [...path, name]
      const where = inner.join('.')
      const { [name]: _, ...without } = base
      if (marked === name)
        yield { name: `${where} is missing`, path: inner, text: frame(without), valid: false }
      else
        yield {
          name: `${where} is there`,
          path: inner,
          text: frame({ ...base, [name]: exampleOf(field) }),
          valid: true,
        }
      for (const { what, value, valid } of valuesOf(field, seen))
        yield {
          name: `${where} ${what}`,
          path: inner,
          text: frame({ ...base, [name]: HOLE }).replace(`"${HOLE}"`, () => value),
          valid,
        }
      if (structs[field[0]])
        yield* ofStruct(where, structs[field[0]], inner, value => wrap({ ...base, [name]: value }))
    }
  }
}

function* valuesOf([type, given], seen) {
  if (type === 'fixed') return
  if (structs[type]) yield* labelled(notAnObject, false)
  else if (type === '[CURSOR]') yield* lists(given)
  else {
    const all = !seen.has(type)
    seen.add(type)
    const some = values => values.filter(([what]) => all || ESSENTIAL.test(what))
    yield* labelled(some(scalars[type].good), true)
    yield* labelled(some(scalars[type].bad), false)
  }
}

function* lists([least, most]) {
  const cursor = example(structs.CURSOR)
  const list = length => JSON.stringify(Array.from({ length }, (_, i) => ({ ...cursor, stream_id: `s${i}` })))
  const withItem = item => JSON.stringify([item])
  yield { what: 'is empty', value: '[]', valid: least === 0 }
  yield { what: 'has 2 items', value: list(2), valid: true }
  yield { what: `has ${most} items`, value: list(most), valid: true }
  yield { what: `has ${most + 1} items`, value: list(most + 1), valid: false }
  yield* labelled(notAnArray, false)
  for (const [what, value] of notAnObject)
    yield { what: `has an item that ${what}`, value: `[${value}]`, valid: false }
  yield { what: 'has an item with an unknown property', value: withItem({ ...cursor, x: 1 }), valid: false }
  for (const [field, [type]] of Object.entries(structs.CURSOR)) {
    const { [field]: _, ...without } = cursor
    yield { what: `has an item without ${field}`, value: withItem(without), valid: false }
    const { good, bad } = scalars[type]
    for (const [values, valid] of [
      [good, true],
      [bad, false],
    ])
      for (const [what, value] of values.filter(([each]) => ESSENTIAL.test(each)))
        yield {
          what: `has an item whose ${field} ${what}`,
          value: withItem({ ...cursor, [field]: HOLE }).replace(`"${HOLE}"`, () => value),
          valid,
        }
  }
}

function* labelled(values, valid) {
  for (const [what, value] of values) yield { what, value, valid }
}
