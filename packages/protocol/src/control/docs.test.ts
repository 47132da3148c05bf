import { readFileSync } from 'node:fs'
import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { controlErrors } from '../errors/control-codes.ts'
import { parseLoginResult } from './client-codec.ts'
import { closeCodes } from './close-codes.ts'
import { parseFrame } from './codec.ts'
import { envelopes } from './envelopes/index.ts'
import { frameRules } from './frame-rules.ts'
import { commandBodies, commandData, eventBodies } from './names/bodies.ts'
import { commands } from './names/commands.ts'
import { ACCOUNT_EVENTS, PAGE_EVENTS, SESSION_EVENTS, signals } from './names/events.ts'
import { AccountState, SessionState } from './names/states.ts'
import { parseLogin } from './session-codec.ts'

const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const page = read('control-protocol.md')
const reference = read('control-commands.md')

/** The first cell of each row of the first table under a heading. */
function firstCells(text: string, heading: string): string[] {
  const section = text.split(/^## /m).find(part => part.startsWith(`${heading}\n`)) ?? ''
  const table = section.split('\n\n').find(block => block.startsWith('| ')) ?? ''
  const rows = table.split('\n').slice(2)
  return rows.map(line => line.split('|')[1]?.replaceAll('`', '').trim() ?? '').filter(Boolean)
}

describe('docs/control-commands.md', () => {
  it.each([
    ['Commands', Object.keys(commands)],
    ['Events', [...SESSION_EVENTS, ...ACCOUNT_EVENTS, ...PAGE_EVENTS]],
    ['Signals', Object.keys(signals)],
  ])('lists under "%s" exactly what the code has', (heading, names) => {
    expect(firstCells(reference, heading).sort()).toEqual([...names].sort())
  })
})

describe('the documents of the control protocol', () => {
  it('name every field of frames, bodies, results and states', () => {
    const schemas = [envelopes, commandBodies, commandData, eventBodies, { SessionState, AccountState }]
    const fields = new Set(schemas.flatMap(each => Object.values(each)).flatMap(fieldsOf))
    const code = [...(page + reference).matchAll(/`[^`\n]+`/g)].join('\n')
    expect(fields.size).toBeGreaterThan(80)
    expect([...fields].filter(name => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code))).toEqual([])
  })
})

describe('docs/control-protocol.md', () => {
  it.each([
    ['Errors', Object.keys(controlErrors)],
    ['Close codes', Object.keys(closeCodes)],
  ])('lists under "%s" exactly what the code has', (heading, names) => {
    expect(firstCells(page, heading).sort()).toEqual([...names].sort())
  })

  it('contains each frame rule with the message and code of the implementation', () => {
    for (const [rule, { code, message }] of Object.entries(frameRules))
      expect(page).toContain(`| ${rule} | ${message} | \`${code}\` |`)
  })

  it('shows an example conversation of valid frames only', () => {
    const lines = page
      .split('\n')
      .filter(line => /^[→←] \{"(login|control)/.test(line) && !line.includes('{…}'))
    const invalid = lines.map(line => line.slice(2)).filter(text => !isValid(text))
    expect(lines.length).toBeGreaterThan(12)
    expect(invalid).toEqual([])
  })
})

function isValid(text: string): boolean {
  if (text.startsWith('{"login":')) return parseLogin(text).ok
  const limits = { maxFrameBytes: 65_536 }
  if (text.startsWith('{"login_result":')) return parseLoginResult(text, limits).ok
  const parsed = parseFrame(text, limits)
  if (!parsed.ok || parsed.kind !== 'control_snapshot') return parsed.ok
  const { stream_id, state } = parsed.frame.control_snapshot
  return Check(stream_id.startsWith('session:') ? SessionState : AccountState, state)
}

interface Fields {
  properties?: Record<string, Fields>
  items?: Fields
  anyOf?: Fields[]
}

function fieldsOf(schema: unknown): string[] {
  const { properties = {}, items, anyOf = [] } = schema as Fields
  const nested = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return [...Object.keys(properties), ...nested.flatMap(fieldsOf)]
}
