/** Generates docs/errors.md from the error catalogue. `npm run docs -w @lectern/protocol` runs it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../../docs/errors.md')

/**
 * @param {Record<string, import('../src/errors/catalogue.ts').CatalogueEntry>} errors
 * @param {typeof import('../src/errors/control-codes.ts').controlErrors} controlErrors
 */
export function errorsDocument(errors, controlErrors) {
  const entries = Object.entries(errors)
  const http = entries
    .filter(([, { status }]) => status !== undefined)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([key, { status, httpCode = key, retryable, message }]) => ({
      status,
      httpCode,
      retryable,
      message,
    }))
  const httpCodes = new Set()
  const httpRows = http
    .filter(({ httpCode }) => !httpCodes.has(httpCode) && httpCodes.add(httpCode))
    .map(row => `| ${row.status} | \`${row.httpCode}\` | ${yesNo(row.retryable)} | ${row.message} |`)
  const codeRows = Object.entries(controlErrors).map(
    ([code, { retryable, message }]) => `| \`${code}\` | ${yesNo(retryable)} | ${message} |`,
  )
  const reasonRows = entries
    .filter(([, { control, reason }]) => control !== undefined && reason !== null)
    .map(([key, { control, reason = key, message }]) => ({ control, reason, message }))
    .sort((a, b) => order(a.reason, b.reason) || order(a.control, b.control))
    .map(({ control, reason, message }) => `| \`${reason}\` | \`${control}\` | ${message} |`)
  const permanent = statusesOf(http.filter(({ status, retryable }) => !retryable && status !== 401))
  return `# Errors

<!-- Generated from packages/protocol/src/errors by packages/protocol/scripts/errors-document.mjs. Do not edit. -->

All errors come from one catalogue. A code means the same in every API.

## HTTP

Every error of every HTTP API is a JSON object:

\`\`\`json
{ "result": 404, "code": "room_not_found", "message": "There is no such room." }
\`\`\`

\`result\` equals the HTTP status. \`code\` is stable: programs branch on it. \`message\` is for people; it MAY be more specific
than the text below and name the field that is wrong.

Authentication comes first: a request to a protected route without a valid token is answered with 401, whatever its
parameters and its body are.

| status | what clients do |
|---|---|
| ${permanent} | correct the request first; the same one fails again |
| 401 | get a new token. After \`account_deleted\` the account is gone; only then MAY a client discard a saved guest account |
| 429, 503, 507 | repeat the request, not before the time in \`Retry-After\` where there is one |
| 408, other 5xx | repeat the request with back-off |

A value that the store rejects is 400 \`invalid_argument\`. A store that is full, locked or read-only is 503
\`temporarily_unavailable\` with \`Retry-After\`, for every request that writes; the request had no effect. Only uploads of
workers answer a full disk with 507 ([uploads.md](uploads.md), rule U3).

| Status | Code | Retry | Meaning |
|---|---|---|---|
${httpRows.join('\n')}

## Control channel

An error of the [control channel](control-protocol.md#errors) has one of these codes:

| Code | Retry | Meaning |
|---|---|---|
${codeRows.join('\n')}

\`error.extensions.reason\` is more specific than the code. Clients MUST accept reasons that they do not know.

| Reason | Code | Meaning |
|---|---|---|
${reasonRows.join('\n')}
`
}

const statusesOf = entries => [...new Set(entries.map(({ status }) => status))].join(', ')
const yesNo = retryable => (retryable ? 'yes' : 'no')
const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

if (import.meta.filename === process.argv[1]) {
  const { errors } = await import('../src/index.ts')
  const { controlErrors } = await import('../src/control/index.ts')
  writeFileSync(file, errorsDocument(errors, controlErrors))
}
