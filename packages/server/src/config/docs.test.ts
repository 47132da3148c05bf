import { describe, it } from 'vitest'
import { expectDocument } from '../testing/docs.ts'
import { variableName } from './index.ts'
import { keys, PLANNED_SECTIONS } from './keys.ts'
import type { Key } from './values.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')

function shown({ fallback }: Key<unknown>): string {
  const value = typeof fallback === 'boolean' ? Number(fallback) : [fallback].flat().join(' ')
  return value === '' ? '' : `\`${value}\``
}

function section(name: string, sectionKeys: Record<string, Key<unknown>>): string {
  const planned = (PLANNED_SECTIONS as readonly string[]).includes(name)
  const rows = Object.entries(sectionKeys).map(
    ([key, about]) =>
      `| \`${key}\` | \`${variableName(name, key)}\` | ${cell(about.form)} | ${shown(about)} | ${cell(about.description)} |`,
  )
  return `## [${name}]

${planned ? 'Read and checked already; it takes effect when that part of the product arrives.\n\n' : ''}| Key | Variable | Value | Default | Meaning |
|---|---|---|---|---|
${rows.join('\n')}
`
}

describe('docs/configuration.md', () => {
  it('tells of every key, its variable, its default and its meaning', () => {
    const sections = Object.entries(keys as Record<string, Record<string, Key<unknown>>>)
    expectDocument(
      'configuration.md',
      `# Configuration

The server reads one INI file: the one given with \`--config\`, else the one that \`SVC_CONFIG\` names, else
\`lectern.ini\` in the current folder if there is one. Every key can also be given as an environment variable,
which beats the file. Settings apply after a restart. An unknown section or key, a bad value, a key given twice or
a broken line stops the start with one line that says where.

\`\`\`ini
; a comment begins with ; or # at the start of a line
[Server]
Port = 8080
JwtSecret = " quotes keep spaces at the ends "

[Integration]
Enabled = 1
PublicUrl = https://meet.example.org
FrameAncestors = https://partner.example
\`\`\`

An empty value means the default; an empty variable leaves what the file says. Paths are relative to the folder of
the file. The integration contract has names of its own, which win where both are set:

| Variable | Key |
|---|---|
| \`SVC_INTEGRATION_DB\` | [Db] IntegrationDb |
| \`SVC_SERVER_URL\` | [Integration] PublicUrl |

Other variables that begin with \`SVC_\` are ignored, unless they begin like a section of ours:
\`SVC_SERVER_X\` is refused as a mistake.

${sections.map(([name, sectionKeys]) => section(name, sectionKeys)).join('\n')}`,
    )
  })
})
