/**
 * Numbered rules: documents define them in the first cell of a table row (`| K2 | … |`), code, tests and documents cite
 * them ("rule K2", "rules W10 to W13", "(J8, J14)", or at the beginning of a test's title).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const ID = '[A-Z]+-?\\d{1,2}'
const LIST = `${ID}(?:(?: to |, | and | or |, and )${ID})*`
const IGNORED_FOLDERS = new Set(['node_modules', 'dist', 'data', 'coverage'])
/** Look like rules where they begin a title. */
const NOT_RULES = /^(?:AV1|VP8|VP9|S3|UTF-(?:8|16)|L16|B-?\d|H\d{3})$/

/**
 * Every text of the repository that may define or cite a rule.
 *
 * @param {string} folder
 * @returns {{ path: string, text: string }[]}
 */
export function readTexts(folder) {
  return filesBelow(folder).map(path => ({ path: relative(folder, path), text: readFileSync(path, 'utf8') }))
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return IGNORED_FOLDERS.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path)
    return /\.(?:md|ts|tsx|mjs|js|css)$/.test(entry.name) ? [path] : []
  })
}

/** @param {string} id */
export const prefixOf = id => id.replace(/\d+$/, '')

/**
 * @param {{ path: string, text: string }[]} texts
 * @returns {{ id: string, path: string }[]} each row that defines a rule
 */
export function findDefinitions(texts) {
  return texts
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(`^\\| (${ID}) \\|`, 'gm'))].map(([, id]) => ({ id: id ?? '', path })),
    )
}

/**
 * @param {{ path: string, text: string }[]} texts
 * @param {Set<string>} prefixes the prefixes that documents define; other capitals in brackets are no citations
 * @returns {{ id: string, path: string }[]} each rule that is cited; "J14 to J16" cites three
 */
export function findCitations(texts, prefixes) {
  return texts.flatMap(({ path, text }) => citedIn(path, text, prefixes).map(id => ({ id, path })))
}

/** @param {string} path @param {string} text @param {Set<string>} prefixes @returns {string[]} */
function citedIn(path, text, prefixes) {
  const flat = text.replace(/\n\s*(?:\*|\/\/|#)?\s*/g, ' ')
  const named = listsIn(flat, `\\b[Rr]ules? (${LIST})`)
  const bracketed = listsIn(flat, `\\((${LIST})\\)`).filter(id => prefixes.has(prefixOf(id)))
  const hyphened = listsIn(flat, `(?<![\\w-])([A-Z]+-\\d{1,2})\\b`).filter(id => prefixes.has(prefixOf(id)))
  const titles = /\.(?:test|spec|contract)\.(?:tsx?|mjs)$/.test(path)
    ? listsIn(flat, `['"\`](${LIST}) [a-z]`)
    : []
  const prose = path.endsWith('.md')
    ? listsIn(text.replace(/```[\s\S]*?```|`[^`\n]*`/g, ''), `(?<![\\w/.-])(${LIST})(?![\\w-])`).filter(id =>
        prefixes.has(prefixOf(id)),
      )
    : []
  return [...named, ...bracketed, ...hyphened, ...titles, ...prose].filter(id => !NOT_RULES.test(id))
}

/** @param {string} text @param {string} pattern whose first group is a list of rules @returns {string[]} */
function listsIn(text, pattern) {
  return [...text.matchAll(new RegExp(pattern, 'g'))].flatMap(([, list]) => expand(list ?? ''))
}

/** "W10 to W12, W15" is W10, W11, W12, W15. @param {string} list @returns {string[]} */
function expand(list) {
  return list.split(/, and |, | and | or /).flatMap(part => {
    const [first = '', last = first] = part.split(' to ')
    const [from, to] = [first, last].map(id => Number(id.match(/\d+$/)?.[0]))
    if (from === undefined || to === undefined) return []
    return Array.from({ length: to - from + 1 }, (_, i) => prefixOf(first) + (from + i))
  })
}
