import { type GuidePage, hrefOf, type Source } from './pages.ts'

/** A heading of the second level with what follows it; the part before the first one has an empty heading. */
interface Section {
  heading: string
  text: string
}

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** The sections of a document. Headings in code blocks are none. */
export function sectionsOf(text: string): Section[] {
  const found: Section[] = [{ heading: '', text: '' }]
  let isCode = false
  for (const line of text.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode
    const heading = isCode ? undefined : /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) found.push({ heading, text: '' })
    const last = found.at(-1) as Section
    last.text += `${line}\n`
  }
  return found
}

/** The text that a page takes from a document. Throws if a section does not exist any more. */
export function textOf({ file, sections }: Source, read: (file: string) => string): string {
  const all = sectionsOf(read(file))
  if (!sections) return all.map(({ text }) => text).join('')
  return sections
    .map(wanted => {
      const section = all.find(({ heading }) => heading === wanted)
      if (!section) throw new Error(`${file} has no section "${wanted}"`)
      return section.text
    })
    .join('')
}

/** Every heading of a text. */
function headingsOf(text: string): string[] {
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '')
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
}

/** Where documents and their headings are on the site: `docs/webhooks.md#events` → `/docs/webhooks#events`. */
export function addressesOf(
  pages: readonly GuidePage[],
  read: (file: string) => string,
): Map<string, string> {
  const addresses = new Map<string, string>()
  for (const page of pages)
    for (const source of page.sources) {
      if (!addresses.has(source.file)) addresses.set(source.file, hrefOf(page))
      for (const heading of headingsOf(textOf(source, read))) {
        const anchor = anchorOf(heading)
        addresses.set(`${source.file}#${anchor}`, `${hrefOf(page)}#${anchor}`)
      }
    }
  return addresses
}
