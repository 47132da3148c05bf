import { describe, it } from 'vitest'
import { expectDocument } from '../../testing/docs.ts'
import { variableName } from './index.ts'
import { keys } from './keys.ts'
import type { Key } from './values.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')

function shown({ fallback }: Key<unknown>): string {
  const value = typeof fallback === 'boolean' ? Number(fallback) : [fallback].flat().join(' ')
  return value === '' ? '' : `\`${value}\``
}

function section(name: string, sectionKeys: Record<string, Key<unknown>>): string {
  const rows = Object.entries(sectionKeys).map(
    ([key, about]) =>
      `| \`${key}\` | \`${variableName(name, key)}\` | ${cell(about.form)} | ${shown(about)} | ${cell(about.description)} |`,
  )
  return `## [${name}]

| Key | Variable | Value | Default | Meaning |
|---|---|---|---|---|
${rows.join('\n')}
`
}

describe('docs/configuration.md', () => {
  it('lists every key with its variable, default and meaning', () => {
    const sections = Object.entries(keys as Record<string, Record<string, Key<unknown>>>)
    expectDocument(
      'configuration.md',
      `# Configuration

The server reads one INI file: the file given with \`--config\`, else the file named by \`SVC_CONFIG\`, else
\`lectern.ini\` in the current folder if it exists. Every key can also be set by an environment variable, which takes
precedence. Settings apply after a restart. An unknown section or key, an invalid value, a duplicate key or a malformed line
stops the start with one line that names it.

\`\`\`ini
; a comment begins with ; or # and has a line of its own
[Server]
Port = 8080
MetricsToken = " quotes keep spaces at the ends "

[Integration]
Enabled = 1
PublicUrl = https://meet.example.org
FrameAncestors = https://partner.example
\`\`\`

An empty value selects the default; an empty variable leaves the value of the file. Paths are relative to the folder of the
file. Two keys have short variables, which take precedence:

| Variable | Key |
|---|---|
| \`SVC_INTEGRATION_DB\` | [Db] IntegrationDb |
| \`SVC_SERVER_URL\` | [Integration] PublicUrl |

Other variables that begin with \`SVC_\` are ignored, unless they begin with the name of a section: \`SVC_SERVER_X\` is
refused.

${sections.map(([name, sectionKeys]) => section(name, sectionKeys)).join('\n')}`,
    )
  })
})
