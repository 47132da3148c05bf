import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { buildSite } from './site.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The page that Vite has built, with places for what differs between pages. */
const TEMPLATE = 'docs.html'

/** Fills the built template with every page of the documentation, and adds the data of its search and of the protocol. */
export const guidePages: Plugin = {
  name: 'guide-pages',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const template = bundle[TEMPLATE]
    if (template?.type !== 'asset') throw new Error(`${TEMPLATE} was not built`)
    delete bundle[TEMPLATE]
    const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
    const documents = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
    const { pages, search } = buildSite(
      read,
      documents.map(name => `docs/${name}`),
    )
    for (const { name, ...parts } of pages) emit(`docs/${name}`, fill(String(template.source), parts))
    emit('docs/search.json', JSON.stringify(search))
    emit('docs/asyncapi.json', read('docs/asyncapi.json'))
    for (const name of readdirSync(join(root, 'docs/schemas')))
      emit(`docs/schemas/${name}`, read(`docs/schemas/${name}`))
  },
}

/** Replaces `<!--name-->` by the part of that name. */
const fill = (template: string, parts: Record<string, string>): string =>
  template.replace(/<!--(\w+)-->/g, (whole, name: string) => parts[name] ?? whole)
