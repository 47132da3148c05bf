/**
 * `unify.mjs FOLDER…`: prepares C++ sources for a unity build, which compiles many files as one (decision 92). Names that
 * several files define for themselves would collide; each becomes FILE_NAME in its file.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'

/** Static functions, variables and constants outside of classes and functions. */
const DEFINITION = /^\t?(?:inline |thread_local )*(?:static|constexpr)\s[^;(){}=]*?(?<!::)\b(\w+)\s*[({=;[]/gm

/** @type {Map<string, string[]>} files by name */
const filesOf = new Map()
for (const file of process.argv.slice(2).flatMap(sourcesIn)) {
  const definitions = [...readFileSync(file, 'utf8').matchAll(DEFINITION)]
  for (const name of new Set(definitions.map(([, name = '']) => name)))
    filesOf.set(name, [...(filesOf.get(name) ?? []), file])
}
for (const [name, files] of filesOf) if (files.length > 1) for (const file of files) rename(name, file)

/** @param {string} folder */
function sourcesIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter(name => /\.(cc|cpp)$/.test(name)).map(name => join(folder, name))
}

/** @param {string} name @param {string} file */
function rename(name, file) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${parse(file).name}_${name}`))
}
