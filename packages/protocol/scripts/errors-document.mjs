/** Generates docs/errors.md from the error catalogue. Run it after `tsc -b`: `npm run docs -w @lectern/protocol`. */
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
  return `# Errors

<!-- Generated from packages/protocol/src/errors by packages/protocol/scripts/errors-document.mjs. Do not edit. -->

Every refusal of the service comes from one catalogue. A code means the same in every API.

## HTTP

Every refusal of every HTTP API is a JSON object of one shape:

\`\`\`json
{ "result": 404, "code": "room_not_found", "message": "There is no such room." }
\`\`\`

\`result\` equals the HTTP status. \`code\` is stable and meant for programs: branch on it. \`message\` is meant for
people and MAY be more exact than the sentence below; it can name the field that is wrong.

Repeat a request after 429, 503 and other 5xx responses, but not before the time in the \`Retry-After\` header, where there
is one. After a 400, 403, 404, 405, 413, 414, 415, 416, 426 or 431 the same request is refused again. After a 401 get a new
token. After \`account_deleted\` the account is deleted permanently; only then MAY a client forget a saved guest.

A write fails in the store for one of two reasons. A value that the store rejects is 400 \`invalid_argument\`: the same
request is refused again. A store that is full, locked or read-only is 503 \`temporarily_unavailable\` with
\`Retry-After\`, for every call of every API that writes; nothing of the request was stored. Only uploads of workers respond
to a full disk with 507 ([uploads.md](uploads.md), U3).

| Status | Code | Retry | Meaning |
|---|---|---|---|
${httpRows.join('\n')}

## Control channel

An error of the control channel has one of these codes ([control-protocol.md](control-protocol.md), "Errors"):

| Code | Retry | Meaning |
|---|---|---|
${codeRows.join('\n')}

Where a client can do something about it, \`error.extensions.reason\` says more than the code. A client MUST accept reasons
that it does not know.

| Reason | Code | Meaning |
|---|---|---|
${reasonRows.join('\n')}
`
}

const yesNo = retryable => (retryable ? 'yes' : 'no')
const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

if (import.meta.filename === process.argv[1]) {
  const { errors } = await import('../dist/index.js')
  const { controlErrors } = await import('../dist/control/index.js')
  writeFileSync(file, errorsDocument(errors, controlErrors))
}
