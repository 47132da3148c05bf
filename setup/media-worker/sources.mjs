import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'

/**
 * The sources of the media worker, prepared for a unity build, which compiles many files as one: most of the time of
 * compiling them one by one goes into reading headers (decision 92).
 */

/** Parts of the source that nothing includes unless mediasoup's own bandwidth estimation is enabled or tested. */
const UNUSED = ['src/RTC/BWE', 'src/RTC/NEW_RTCP']

/**
 * Copies the source. Lectern's changes are not applied yet.
 *
 * @param {string} worker the folder of the source in mediasoup's package
 * @param {string} folder
 */
export function copySources(worker, folder) {
  for (const part of ['deps', 'fbs', 'include', 'src'])
    cpSync(join(worker, part), join(folder, part), { recursive: true })
  for (const part of UNUSED) rmSync(join(folder, part), { recursive: true })
}

/** Specialises a template, which others instantiate. */
const FIRST = 'src/RTC/RTCP/Feedback.cpp'

/** Each part reads the headers again, 3 s; with fewer, a machine of two cores would wait longer for the last one. */
const PARTS = 4

/**
 * Writes files that include all sources, some of them each, and returns their paths.
 *
 * @param {string} folder
 */
export function unify(folder) {
  const first = join(folder, FIRST)
  const others = ['deps', 'src'].flatMap(name => sourcesIn(join(folder, name))).filter(file => file !== first)
  const files = [first, ...others.sort()]
  renameCollisions(files)
  const parts = join(folder, 'parts')
  mkdirSync(parts)
  return inParts(files).map((part, index) => {
    const path = join(parts, `part${index + 1}.cpp`)
    writeFileSync(path, part.map(file => `#include "${file}"\n`).join(''))
    return path
  })
}

/** @param {string} folder */
function sourcesIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter(name => /\.(cc|cpp)$/.test(name)).map(name => join(folder, name))
}

/**
 * Consecutive parts of the same size.
 *
 * @param {string[]} files
 */
function inParts(files) {
  const total = files.reduce((sum, file) => sum + statSync(file).size, 0)
  let before = 0
  /** @type {string[][]} */
  const parts = Array.from({ length: PARTS }, () => [])
  for (const file of files) {
    parts[Math.floor((PARTS * before) / total)]?.push(file)
    before += statSync(file).size
  }
  return parts
}

/** Static functions, variables and constants outside of classes and functions, and unscoped enumerators. */
const DEFINITION =
  /^(?:const|\t{0,2}(?:inline |thread_local |alignas\(\d+\) )*(?:static|constexpr))\s[^;(){}=]*?(?<!::)\b(\w+)\s*[({=;[]|^ {2}(k[A-Z]\w+) =/gm

/**
 * Names that several files define for themselves would collide; each becomes FILE_NAME in its file.
 *
 * @param {string[]} files
 */
function renameCollisions(files) {
  /** @type {Map<string, string[]>} files by name */
  const filesOf = new Map()
  for (const file of files) {
    const definitions = [...readFileSync(file, 'utf8').matchAll(DEFINITION)]
    for (const name of new Set(definitions.map(([, name, enumerator = '']) => name ?? enumerator)))
      filesOf.set(name, [...(filesOf.get(name) ?? []), file])
  }
  for (const [name, files] of filesOf) if (files.length > 1) for (const file of files) rename(name, file)
}

/** @param {string} name @param {string} file */
function rename(name, file) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${parse(file).name}_${name}`))
}
