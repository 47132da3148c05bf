import type { ApiDocument } from './reference/api-document.ts'
import type { SearchEntry, SearchIndex } from './search-index.ts'

const RESULTS_MAX = 12

async function load(): Promise<SearchIndex> {
  const [{ SearchIndex: Index }, guides, api] = await Promise.all([
    import('./search-index.ts'),
    fetch('/docs/search.json').then(response => response.json() as Promise<SearchEntry[]>),
    // The guides are found without the reference, too.
    fetch('/api/openapi.json').then(
      response => response.json() as Promise<ApiDocument>,
      () => null,
    ),
  ])
  return new Index(guides, api)
}

/** Searches guides and reference in the browser. The index is loaded when the field is focused first. */
export function openSearch(): void {
  const field = document.getElementById('search') as HTMLInputElement
  const results = document.getElementById('results') as HTMLElement
  let index: Promise<SearchIndex> | undefined
  const getIndex = () => {
    index ??= load().catch(error => {
      index = undefined // the next attempt loads again
      throw error
    })
    return index
  }

  const show = async () => {
    const query = field.value.trim()
    if (query === '') return hide()
    const found = await getIndex().then(
      ready => ready.find(query, RESULTS_MAX),
      () => null,
    )
    if (field.value.trim() !== query) return // a later one is on its way
    results.replaceChildren(...(found && found.length > 0 ? found.map(linkTo) : [note(found)]))
    results.hidden = false
  }
  const hide = () => {
    results.hidden = true
  }

  field.addEventListener('focus', () => void getIndex().catch(() => {}))
  field.addEventListener('input', () => void show())
  document.addEventListener('keydown', event => {
    const isInside =
      event.target instanceof Node && (field.contains(event.target) || results.contains(event.target))
    if (event.key === '/' && !isInside) {
      event.preventDefault()
      field.focus()
    }
    if (!isInside) return
    if (event.key === 'Escape') {
      hide()
      field.focus()
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      moveFocus([field, ...results.querySelectorAll('a')], event.key === 'ArrowDown' ? 1 : -1)
    }
    if (event.key === 'Enter' && event.target === field) results.querySelector('a')?.click()
  })
  document.addEventListener('click', event => {
    const { target } = event
    if (target instanceof Element && (target.closest('.results a') || !target.closest('.search'))) hide()
  })
}

function moveFocus(elements: HTMLElement[], step: number): void {
  const at = elements.indexOf(document.activeElement as HTMLElement)
  elements[(at + step + elements.length) % elements.length]?.focus()
}

function linkTo({ page, title, href }: SearchEntry): HTMLElement {
  const link = document.createElement('a')
  link.href = href
  const [name, where] = [document.createElement('strong'), document.createElement('span')]
  name.textContent = title
  where.textContent = page
  link.append(name, where)
  return link
}

function note(found: unknown): HTMLElement {
  const text = document.createElement('p')
  text.textContent = found === null ? 'The search could not be loaded.' : 'Nothing was found.'
  return text
}
