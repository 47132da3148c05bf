import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '@lectern/protocol'
import { describe, expect, it } from 'vitest'
import { expectDocument } from '../testing/docs.ts'

const source = new URL('..', import.meta.url).pathname

describe('the error catalogue', () => {
  it('holds no code that the server never uses', () => {
    const files = (readdirSync(source, { recursive: true }) as string[]).filter(
      file => file.endsWith('.ts') && !/\.(test|contract)\.ts$|^testing\//.test(file),
    )
    const text = files.map(file => readFileSync(join(source, file), 'utf8')).join('\n')
    const unused = Object.keys(errors).filter(code => !text.includes(`'${code}'`))
    expect(unused).toEqual([])
  })

  it('is what docs/errors.md says', () => {
    const rows = Object.entries(errors)
      .sort(([, a], [, b]) => a.status - b.status)
      .map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`)
    expectDocument(
      'errors.md',
      `# Errors

Every refusal of every HTTP API is a JSON object of one shape:

\`\`\`json
{ "result": 404, "code": "room_not_found", "message": "There is no such room." }
\`\`\`

\`result\` equals the HTTP status. \`code\` is stable and meant for programs: branch on it. \`message\` is meant for
people and may be more exact than the sentence below; it can name the field that is wrong.

Repeat a request after 429, 503 and other 5xx answers, not before the \`Retry-After\` header says where there is
one. After a 400, 403, 404, 405, 413, 414, 415, 416, 426 or 431 the same request will be refused again. After a 401 get
a new token; after \`account_deleted\` the account is gone for good, and only then may a client forget a saved guest.

A write that the store does not take has one of two reasons. A value that the store rejects is 400 \`invalid_argument\`: the same
request will be refused again. A store that is full, locked or read-only is 503 \`temporarily_unavailable\` with
\`Retry-After\`, for every call of every API that writes; nothing of the request was stored. Only uploads of workers answer a
full disk with 507 ([uploads.md](uploads.md), U3).

| Status | Code | Meaning |
|---|---|---|
${rows.join('\n')}
`,
    )
  })
})
