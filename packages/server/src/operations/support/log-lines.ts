import type { Scrub } from './redaction.ts'

/** The fields that a line keeps: others could hold a name, an address or a text. */
const FIELDS = new Set([
  ...['level', 'time', 'msg', 'reason', 'code', 'outcome', 'state'],
  ...['method', 'route', 'status', 'ms', 'request_id', 'transport', 'command', 'command_id'],
  ...['conference_session_id', 'job_id', 'attempt', 'attempts', 'kind', 'scope', 'delivery', 'event'],
  ...['worker', 'pid', 'node', 'member', 'role', 'version', 'server', 'servers', 'sessions', 'resource'],
  ...['restart_in_ms', 'retry_in_ms', 'wait_ms', 'refused', 'nats', 'workers', 'region'],
])
const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
const TEXT_MAX_CHARACTERS = 200
const FRAMES_MAX = 12
const IP_ADDRESS =
  /(?<![\w:])[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}(\.\d{1,3}){0,3}(?![\w:])|\b\d{1,3}(\.\d{1,3}){3}\b/gi

export interface ScrubbedLog {
  text: string
  lines: number
  /** Lines that are not ours. */
  dropped: number
}

/** Keeps what is known to be harmless of our own log lines; drops all others. Lines may have a prefix, as of a journal. */
export function scrubLog(text: string, scrub: Scrub): ScrubbedLog {
  const found = text.split('\n').filter(line => line.trim() !== '')
  const kept = found.flatMap(line => scrubLine(line, scrub) ?? [])
  return {
    text: kept.map(line => `${line}\n`).join(''),
    lines: kept.length,
    dropped: found.length - kept.length,
  }
}

function scrubLine(line: string, scrub: Scrub): string | null {
  const record = parse(line.slice(Math.max(0, line.indexOf('{'))))
  if (!record || !LEVELS.has(String(record.level)) || typeof record.msg !== 'string') return null
  // Truncated last: the beginning of a secret would not be found.
  const hide = (value: string) => scrub(value).replace(IP_ADDRESS, '***').slice(0, TEXT_MAX_CHARACTERS)
  const kept = Object.entries(record).flatMap(([name, value]) => {
    if (!FIELDS.has(name) || (typeof value === 'object' && value !== null)) return []
    // Times look like IPv6 addresses.
    return [[name, typeof value === 'string' && name !== 'time' ? hide(value) : value]]
  })
  const error = describeError(record.err, hide)
  return JSON.stringify({ ...Object.fromEntries(kept), ...(error && { err: error }) })
}

/** Without messages, which may repeat values. */
function describeError(err: unknown, hide: (text: string) => string): object | null {
  if (typeof err !== 'object' || err === null) return null
  const { type, code, stack, conference_session_id, job_id } = err as Record<string, unknown>
  const frames = String(stack ?? '')
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .slice(0, FRAMES_MAX)
    .map(line => hide(line.trim()))
  const plain = (value: unknown) => (typeof value === 'string' ? hide(value) : value)
  return {
    type: plain(type),
    code: plain(code),
    ...(Number.isInteger(conference_session_id) && { conference_session_id }),
    ...(typeof job_id === 'string' && { job_id: plain(job_id) }),
    frames,
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
