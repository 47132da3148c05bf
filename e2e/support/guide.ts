import { readFileSync } from 'node:fs'
import { repositoryPath } from './folders.ts'

/** A fenced block of a guide, in the order of the text. */
export interface GuideBlock {
  language: string
  text: string
}

/** All fenced blocks of a document, those of lists without their indentation. */
export function blocksOf(document: string): GuideBlock[] {
  const guide = readFileSync(repositoryPath(document), 'utf8')
  return [...guide.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', text = '']) => ({
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

/** Settings with the lines of a block in place of their own ones, as somebody edits them; other settings stay. */
export function edited(settings: string, block: string): string {
  const sections = settings.split(/^(?=\[)/m)
  let section = 0
  for (const line of block.split('\n').filter(each => each !== '')) {
    if (line.startsWith('[')) {
      section = sections.findIndex(each => each.startsWith(line))
      if (section < 0) section = sections.push(`${line}\n`) - 1
      continue
    }
    const [key] = line.split(' = ')
    const others = (sections[section] ?? '').replace(new RegExp(`^(; )?${key} = .*\n`, 'm'), '')
    sections[section] = `${others.trimEnd()}\n${line}\n`
  }
  return sections.join('\n')
}
