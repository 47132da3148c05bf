import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../paths.mjs'
import { tgz } from './archives.mjs'

/** Sources that the packages do not contain. */
const isForTests = (/** @type {string} */ name) => /\.test\.|^scripted-server\.|^testing\./.test(name)

/**
 * The package of a library for npm, as `npm pack` makes it: the compiled modules, their types and their sources.
 *
 * @param {string} name its folder in packages/
 */
export async function npmPackage(name) {
  const folder = join(root, 'packages', name)
  const { scripts, devDependencies, publishConfig, ...manifest } = readJson(join(folder, 'package.json'))
  const sources = globSync('src/**/*.ts', { cwd: folder }).filter(file => !isForTests(relative('src', file)))
  const files = [
    ...['README.md', ...sources].map(file => ({ name: file, content: readFileSync(join(folder, file)) })),
    ...modulesOf(folder, sources),
    ...(await typesOf(folder, sources)),
    { name: 'LICENSE', content: readFileSync(join(root, 'LICENSE')) },
    { name: 'package.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
  ]
  return tgz(
    files
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name: file, content }) => ({ name: `package/${file}`, content })),
  )
}

/** Modules with types only have none. @param {string} folder @param {string[]} sources */
const modulesOf = (folder, sources) =>
  sources.flatMap(source => {
    const file = source.replace(/^src/, 'dist').replace(/\.ts$/, '.js')
    return globSync([file, `${file}.map`], { cwd: folder }).map(name => ({
      name,
      content: readFileSync(join(folder, name)),
    }))
  })

/** From the syntax alone: what the compiler writes after it has checked everything. @param {string} folder @param {string[]} sources */
async function typesOf(folder, sources) {
  const { isolatedDeclarationSync } = await import('rolldown/experimental')
  return sources.map(source => {
    const { code, errors } = isolatedDeclarationSync(source, readFileSync(join(folder, source), 'utf8'))
    if (errors.length > 0) throw new Error(`${source} needs explicit types: ${errors[0]?.message}`)
    const types = code.replace(/(from |import\()(["'])(\.{1,2}\/[\w./-]+)\.ts\2/g, '$1$2$3.js$2')
    return { name: source.replace(/^src/, 'dist').replace(/\.ts$/, '.d.ts'), content: Buffer.from(types) }
  })
}

/** @param {string} file */
const readJson = file => JSON.parse(readFileSync(file, 'utf8'))
