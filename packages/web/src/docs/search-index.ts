import MiniSearch from 'minisearch'
import type { ApiDocument } from './reference/api-document.ts'

export interface SearchEntry {
  id: string
  page: string
  title: string
  href: string
  text: string
}

/** Words of code count in parts, too: `teacher_join_url`, `webhook.test`, `createRoom`. */
const tokenize = (text: string): string[] =>
  text.split(/[\s\p{P}\p{S}]+/u).flatMap(word => {
    const parts = word.split(/(?<=[a-z])(?=[A-Z])/)
    return parts.length > 1 ? [word, ...parts] : [word]
  })

/** Finds passages of the guides and operations of the reference. */
export class SearchIndex {
  readonly #index = new MiniSearch<SearchEntry>({
    fields: ['title', 'page', 'text'],
    storeFields: ['page', 'title', 'href'],
    tokenize,
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: term => (term.length > 4 ? 0.2 : false),
    },
  })

  constructor(guides: SearchEntry[], api: ApiDocument | null) {
    this.#index.addAll(guides)
    if (api) this.#index.addAll(operationsOf(api))
  }

  /** The best passages that have all words; if there are none, those that have some. */
  find(query: string, max: number): SearchEntry[] {
    const all = this.#index.search(query, { combineWith: 'AND' })
    const found = all.length > 0 ? all : this.#index.search(query)
    return found.slice(0, max) as unknown as SearchEntry[]
  }
}

function operationsOf({ paths, webhooks }: ApiDocument): SearchEntry[] {
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  const events = Object.entries(webhooks).map(([name, { post }]) => ({ name, operation: post }))
  return [...requests, ...events].map(({ name, operation }) => ({
    id: `reference#${operation.operationId}`,
    page: 'API reference',
    title: operation.summary,
    href: `/docs/reference#${operation.operationId}`,
    text: `${name} ${operation.operationId} ${operation.description}`,
  }))
}
