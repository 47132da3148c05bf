import { readFileSync } from 'node:fs'
import { repositoryPath } from './folders.ts'

/** The settings of the package, edited as the guide for schools says, for a machine with that address. */
export function asInGuide(settings: string, address: string): string {
  const guide = readFileSync(repositoryPath('docs/school-server.md'), 'utf8')
  const [, block = ''] = /```ini\n(.*?)```/s.exec(guide) ?? []
  const lines = block.replaceAll('meet.example.org', address).replaceAll('203.0.113.7', address).split('\n')
  const sections = settings.split(/^(?=\[)/m)
  let section = 0
  for (const line of lines.map(each => each.trim()).filter(each => each !== '')) {
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
