/** Why no screen can be shared. Each has its text in `texts`. */
export const SHARE_PROBLEMS = [
  'unsupported', // browsers of phones
  'insecure',
  'refused_by_frame', // the embedding page does not delegate the permission
  'refused_by_system', // the privacy settings of the system
  'blocked', // by the browser without a question: a policy, or an earlier choice
  'failed',
] as const
export type ShareProblem = (typeof SHARE_PROBLEMS)[number]

export class ShareFailure extends Error {
  readonly problem: ShareProblem

  constructor(problem: ShareProblem, options?: ErrorOptions) {
    super(problem, options)
    this.name = 'ShareFailure'
    this.problem = problem
  }
}

export interface ShareContext {
  /** The browser has getDisplayMedia. */
  supported: boolean
  /** The page is a secure context. */
  secure: boolean
  /** An embedding page, if any, delegates the permission; only Chromium reports it. */
  delegated: boolean
}

/** The problem that prevents sharing before the browser is asked; null: none is known. */
export function knownShareProblem({ supported, secure, delegated }: ShareContext): ShareProblem | null {
  // Insecure contexts have no getDisplayMedia either.
  if (!secure) return 'insecure'
  if (!supported) return 'unsupported'
  return delegated ? null : 'refused_by_frame'
}

/** Nobody declines a dialog as quickly. */
const UNASKED_MS = 100

/** Maps an error of getDisplayMedia; null: the user has closed the dialog. `elapsedMs`: since it was called. */
export function readShareProblem(error: unknown, elapsedMs: number): ShareProblem | null {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  // Some browsers end a closed dialog with AbortError.
  if (name === 'AbortError') return null
  if (name !== 'NotAllowedError' && name !== 'SecurityError') return 'failed'
  if (/system/i.test(message)) return 'refused_by_system'
  return elapsedMs < UNASKED_MS ? 'blocked' : null
}
