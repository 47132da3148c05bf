import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { groupsWith } from '../../guides/pages.ts'
import { sectionsOf } from '../../guides/sections.ts'
import { buildSite } from '../../guides/site.ts'
import { SearchIndex } from './search-index.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (file: string) => readFileSync(root + file, 'utf8')
const documents = readdirSync(`${root}docs`)
  .filter(name => name.endsWith('.md'))
  .map(name => `docs/${name}`)
const { pages, search } = buildSite(read, documents)
const files = new Map(pages.map(each => [each.name, each]))

describe('the pages at /docs', () => {
  it('have every document, and every section of those that are divided', () => {
    const used = groupsWith(documents, read).flatMap(group => group.pages.flatMap(({ sources }) => sources))
    expect(documents.filter(name => !used.some(({ file }) => file === name))).toEqual([])
    const sections = used
      .filter(({ file }) => file === 'docs/partner-api.md')
      .flatMap(each => each.sections ?? [])
    expect(sections.sort()).toEqual(
      sectionsOf(read('docs/partner-api.md'))
        .map(({ heading }) => heading)
        .sort(),
    )
  })

  it('link to pages and headings that exist', () => {
    const broken = pages.flatMap(({ name, content, contents, nav }) =>
      [...`${nav}${content}${contents}`.matchAll(/href="(\/docs[^"]*|#[^"]*)"/g)]
        .map(([, href = '']) => href)
        .filter(href => !exists(name, href))
        .map(href => `${name}: ${href}`),
    )
    expect(broken).toEqual([])
  })

  it('name pages by their titles, not by the files of the repository', () => {
    const errors = files.get('errors.html')?.content ?? ''
    expect(errors).toContain('<a href="/docs/uploads">Uploads</a>')
    const named = pages.flatMap(({ content }) => content.match(/<a href="\/docs[^>]*>\S+\.md<\/a>/g) ?? [])
    expect(named).toEqual([])
  })

  it('include documents that no group names', () => {
    const added = groupsWith(
      ['new'].map(name => `docs/${name}.md`),
      () => '# A new document\n',
    )
    expect(added.at(-1)?.pages.at(-1)).toMatchObject({ slug: 'new', title: 'A new document' })
  })

  it('contain nothing that the Content-Security-Policy refuses, and nothing of other origins', () => {
    for (const { name, content } of pages) {
      expect(content, name).not.toMatch(/ style=|<script|<img|<iframe| on[a-z]+="/i)
      expect(content.match(/<h1/g), name).toHaveLength(1)
    }
  })

  it('make no links of examples, and name the settings where the package has them', () => {
    const all = pages.map(({ content }) => content).join('')
    expect(all).not.toContain('href="mailto:')
    expect(all).toContain('tls://USER:PASSWORD@nats.example.org')
    expect(all).not.toContain('/etc/lectern.ini')
  })

  it('show text of the documents as text', () => {
    const errors = files.get('configuration.html')?.content ?? ''
    expect(errors).toContain('<code>')
    expect(pages.map(({ content }) => content).join('')).not.toContain('[object Object]')
  })

  const machineReadable = /^\/docs\/(asyncapi\.json|schemas(\/\w+\.json)?)$/
  function exists(name: string, href: string): boolean {
    if (machineReadable.test(href)) return true
    const [path = '', anchor] = href.split('#')
    const page = files.get(path === '' ? name : `${path.replace(/^\/docs\/?/, '') || 'index'}.html`)
    return page !== undefined && (anchor === undefined || page.content.includes(`id="${anchor}"`))
  }
})

describe('the search', () => {
  const index = new SearchIndex(search, null)
  const first = (query: string) => index.find(query, 5).map(({ href }) => href)

  it.each([
    ['verify signature', '/docs/webhooks#signature'],
    ['jwtsecret rotate', '/docs/install#change-of-the-jwtsecret'],
    ['teacher link', '/docs/links#signed-links'],
    ['embeding', '/docs/embedding'], // a typing error
    ['quickstart', '/docs/getting-started#quickstart-for-partners'],
  ])('finds %s', (query, href) => {
    expect(first(query).some(found => found.startsWith(href))).toBe(true)
  })

  it('finds operations by name, path and id', () => {
    const operation = {
      operationId: 'createRoom',
      tags: ['Rooms'],
      summary: 'Create a room',
      description: 'Creates it.',
      security: [],
      responses: {},
    }
    const withApi = new SearchIndex(search, {
      info: { version: '1', description: '' },
      servers: [],
      tags: [],
      paths: { '/api/v1/integration/rooms/{external_id}': { put: operation } },
      webhooks: {},
      components: {},
    })
    for (const query of ['createRoom', 'create room', 'PUT integration rooms'])
      expect(withApi.find(query, 5).map(({ href }) => href)).toContain('/docs/reference#createRoom')
  })

  it('finds nothing for terms that do not occur', () => {
    expect(first('xylophonist')).toEqual([])
  })
})
