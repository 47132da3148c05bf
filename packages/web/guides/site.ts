import { escapeHtml, type Heading, type Passage, render } from './markdown.ts'
import { type Group, type GuidePage, groupsWith, hrefOf, REFERENCE } from './pages.ts'
import { addressesOf, textOf } from './sections.ts'

/** An entry of the search. */
export interface SearchEntry {
  id: string
  page: string
  title: string
  href: string
  text: string
}

interface Site {
  /** Contents of files by name, below `docs/`. */
  pages: { name: string; title: string; nav: string; content: string; contents: string }[]
  search: SearchEntry[]
}

/** All pages and the entries of the search, from the documents of the repository; `documents` are those of `docs/`. */
export function buildSite(read: (file: string) => string, documents: readonly string[]): Site {
  const groups = groupsWith(documents, read)
  const all = groups.flatMap(({ pages }) => pages)
  const addresses = addressesOf(all, read)
  const titles = new Map(all.map(page => [hrefOf(page), page.title]))
  const search: SearchEntry[] = []
  const pages = all.map(page => {
    const rendered = page.sources.map((source, i) => {
      // A page begins with its own title; documents that follow are one level deeper.
      const text = textOf(source, read).replace(/^# .+\n/, whole => (i === 0 ? '' : whole))
      return render(text, { file: source.file, addresses, titles, deeper: text.startsWith('# ') ? 1 : 0 })
    })
    for (const { passages } of rendered) search.push(...passages.map(entryOf(page)))
    const summary = page.summary && `<p class="summary">${page.summary}</p>\n`
    const headings = rendered.flatMap(each => each.headings)
    return {
      name: `${page.slug}.html`,
      title: page.title,
      nav: navigation(groups, page),
      content: `<h1>${page.title}</h1>\n${summary}${
        page === REFERENCE ? '<div id="reference"></div>' : rendered.map(({ html }) => html).join('\n')
      }`,
      contents: tableOfContents(headings.filter(({ depth }) => depth <= 3)),
    }
  })
  return { pages: [overview(groups), ...pages], search: uniqueById(search) }
}

const entryOf =
  (page: GuidePage) =>
  ({ text, anchor, content }: Passage): SearchEntry => ({
    id: `${page.slug}#${anchor}`,
    page: page.title,
    title: text,
    href: `${hrefOf(page)}#${anchor}`,
    text: content.trim(),
  })

const uniqueById = (entries: SearchEntry[]) => [...new Map(entries.map(entry => [entry.id, entry])).values()]

function navigation(groups: readonly Group[], current: GuidePage | null): string {
  const link = (page: GuidePage) =>
    `<li><a href="${hrefOf(page)}"${page === current ? ' aria-current="page"' : ''}>${page.title}</a></li>`
  return groups
    .map(({ title, pages }) => `<h2>${title}</h2>\n<ul>${pages.map(link).join('')}</ul>`)
    .join('\n')
}

const tableOfContents = (headings: Heading[]): string =>
  headings.length < 2
    ? ''
    : `<h2>On this page</h2>\n<ul>${headings
        .map(
          ({ depth, text, anchor }) =>
            `<li class="depth${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
        )
        .join('')}</ul>`

function overview(all: readonly Group[]) {
  const card = (page: GuidePage) =>
    `<li><a href="${hrefOf(page)}"><strong>${page.title}</strong><span>${page.summary}</span></a></li>`
  const groups = all.map(
    ({ title, pages }) => `<h2>${title}</h2>\n<ul class="cards">${pages.map(card).join('')}</ul>`,
  )
  return {
    name: 'index.html',
    title: 'Documentation',
    nav: navigation(all, null),
    content: `<h1>Lectern documentation</h1>\n<p class="summary">Hosted rooms for your platform: create a room with one request, show a link for the teacher and one for the student, and get back a recording and a transcript.</p>\n${groups.join('\n')}`,
    contents: '',
  }
}
