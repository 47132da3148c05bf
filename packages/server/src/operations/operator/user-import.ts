import { type Capability, Refusal } from '@lectern/protocol'
import { checkCapabilities, checkEmail, checkLogin, checkName, OperatorError } from './checks.ts'
import { parseCsv } from './csv.ts'

/** A person of a file of accounts. */
export interface ImportedPerson {
  line: number
  login: string
  name: string
  capabilities: Capability[]
  /** The address for the invitation; null: none is sent. */
  email: string | null
}

export interface LineFault {
  line: number
  says: string
}

const COLUMNS = ['login', 'name', 'email', 'capabilities'] as const

/** Separators that spreadsheets write. */
const SEPARATORS = [',', ';', '\t']

/**
 * The people of a CSV file with a heading `login,name,email,capabilities`, of which `login` is required, in any order.
 * Capabilities are separated by spaces. Throws OperatorError if the heading is wrong; faults of lines are returned.
 */
export function parsePeople(text: string): { people: ImportedPerson[]; faults: LineFault[] } {
  const [heading, ...rows] = parseCsv(text.replace(/^\uFEFF/, ''), separatorOf(text))
  const columns = withoutRest(heading?.cells ?? []).map(cell => cell.toLowerCase())
  const unknown = columns.filter(column => !COLUMNS.some(known => known === column))
  if (!columns.includes('login') || unknown.length > 0 || new Set(columns).size < columns.length)
    throw new OperatorError(
      `The first line names the columns: ${COLUMNS.join(', ')}; "login" is required${unknown.length > 0 ? `, "${unknown[0]}" is unknown` : ''}.`,
    )
  const people: ImportedPerson[] = []
  const faults: LineFault[] = []
  const lines = new Map<string, number>()
  for (const { line, cells: all } of rows) {
    const cells = withoutRest(all)
    if (cells.length === 0) continue
    try {
      if (cells.length > columns.length)
        throw new OperatorError(`There are ${cells.length} values for ${columns.length} columns.`)
      const value = (column: (typeof COLUMNS)[number]) => cells[columns.indexOf(column)] ?? ''
      const login = checkLogin(value('login'))
      const earlier = lines.get(login)
      if (earlier !== undefined) throw new OperatorError(`${login} is in line ${earlier}, too.`)
      lines.set(login, line)
      const capabilities = checkCapabilities(value('capabilities').split(/\s+/).filter(Boolean))
      const email = value('email') || null
      people.push({
        ...{ line, login, capabilities },
        name: checkName(value('name') || login),
        email: email && checkEmail(email),
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      faults.push({ line, says: error.message })
    }
  }
  return { people, faults }
}

/** Spreadsheets write empty cells behind the last value, as many as any of their lines once had. */
const withoutRest = (cells: readonly string[]): string[] => {
  const trimmed = cells.map(cell => cell.trim())
  return trimmed.slice(0, trimmed.findLastIndex(cell => cell !== '') + 1)
}

/** The one that the first line has most often. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const count = (separator: string) => first.split(separator).length
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best))
}
